// Package opensearchtest runs private OpenSearch nodes for a test.
//
// SOUK_TEST_OPENSEARCH names the folder of OpenSearch 2.19.0 for JDK 17 or later: the
// archive org.opensearch.distribution.integ-test-zip:opensearch of Maven Central, unpacked,
// with the jar org.opensearch.plugin:analysis-common and its plugin-descriptor.properties
// in modules/analysis-common. SOUK_TEST_OPENSEARCH_NODES, if it is set, is how many nodes a
// cluster has, for tests that need several; SOUK_TEST_OPENSEARCH_HEAP is the heap of each,
// 512m by default. Where there is none, a test is skipped and says
// so.
package opensearchtest
