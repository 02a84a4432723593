package search

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"souk/dynamic/search/corpus"
)

// A collection contains questions about a market, with relevance judgements by people.
type collection struct {
	index     *Index
	questions []judgedQuestion
}

type judgedQuestion struct {
	id, text string
	// relevant contains the listings that answer it, as company/products/slug.
	relevant map[string]bool
}

// questionsFolder returns the folder of the Vaswani collection: 11,429 abstracts and 93
// questions.
func questionsFolder(t testing.TB) string {
	t.Helper()
	folder := os.Getenv("SOUK_QUESTIONS")
	if folder == "" {
		folder = "../../../shared/data/questions"
	}
	if _, err := os.Stat(filepath.Join(folder, "docs.jsonl")); err != nil {
		t.Skip("there are no questions here: name their folder by SOUK_QUESTIONS")
	}
	return folder
}

// eachLine calls yield with each line of a file.
func eachLine(t testing.TB, file string, yield func(line string)) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		yield(lines.Text())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// abstracts reads the collection as a market. Each document is a product named after its
// first ten words.
func abstracts(t testing.TB) *collection {
	t.Helper()
	folder, content := questionsFolder(t), t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(content, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("marketplace.yaml", "name: Abstracts\nsiteUrl: https://abstracts.example\nlanguage: en\n")
	write("categories/product/papers.yaml", "name: Papers\n")
	write("sellers/library/seller.yaml", "officialDomain: library.example\nversions:\n  - version: 1\n    name: Library\n")
	eachLine(t, filepath.Join(folder, "docs.jsonl"), func(line string) {
		var doc struct{ ID, Text string }
		if err := json.Unmarshal([]byte(line), &doc); err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(doc.Text)
		write("sellers/library/products/d"+doc.ID+".md", fmt.Sprintf("---\nname: %q\ncategories: [papers]\n---\n%s\n", strings.Join(words[:min(10, len(words))], " "), doc.Text))
	})
	c := &collection{index: openMemory(t, extract(readCatalog(t, content)), nil)}
	at := map[string]int{}
	eachLine(t, filepath.Join(folder, "queries.jsonl"), func(line string) {
		var q struct{ QID, Query string }
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		at[q.QID] = len(c.questions)
		c.questions = append(c.questions, judgedQuestion{id: q.QID, text: q.Query, relevant: map[string]bool{}})
	})
	eachLine(t, filepath.Join(folder, "qrels.tsv"), func(line string) {
		if qid, id, ok := strings.Cut(line, "\t"); ok {
			if i, known := at[qid]; known {
				c.questions[i].relevant["library/products/d"+id] = true
			}
		}
	})
	return c
}

// quality returns the average nDCG@10 with binary gains (Järvelin, Kekäläinen: Cumulated
// gain-based evaluation of IR techniques, 2002), the average MAP@100, and the number of
// questions that find nothing.
func (c *collection) quality(t testing.TB) (ndcg, averagePrecision float64, nothing int) {
	t.Helper()
	for _, q := range c.questions {
		r, err := c.index.Search(t.Context(), Query{Text: q.text, Limit: 100})
		if err != nil {
			t.Fatalf("%s: %v", q.text, err)
		}
		if r.Total == 0 {
			nothing++
		}
		gain, ideal, precision, found := 0.0, 0.0, 0.0, 0.0
		for i := range min(10, len(q.relevant)) {
			ideal += 1 / math.Log2(float64(i)+2)
		}
		for i, hit := range r.Listings {
			if !q.relevant[hit.CompanySlug+"/"+hit.Kind+"s/"+hit.Slug] {
				continue
			}
			if found++; i < 10 {
				gain += 1 / math.Log2(float64(i)+2)
			}
			precision += found / float64(i+1)
		}
		if os.Getenv("SOUK_MISSED") != "" {
			t.Logf("    %.2f of %d, found %.0f in %d: %s", gain/ideal, len(q.relevant), found, r.Total, q.text)
		}
		if len(q.relevant) > 0 {
			ndcg += gain / ideal
			averagePrecision += precision / float64(len(q.relevant))
		}
	}
	n := float64(len(c.questions))
	return ndcg / n, averagePrecision / n, nothing
}

func TestQuestionsFindWhatAnswersThem(t *testing.T) {
	c := abstracts(t)
	ndcg, averagePrecision, nothing := c.quality(t)
	t.Logf("%d questions: nDCG@10 %.3f, MAP@100 %.3f, %d without an answer", len(c.questions), ndcg, averagePrecision, nothing)
	if ndcg < 0.45 || nothing > 0 {
		t.Errorf("nDCG@10 is %.3f, want 0.45; %d questions find nothing", ndcg, nothing)
	}
}

// needs reads the questions written for the CNCF marketplace and the listings that answer
// each, which were found by reading the market rather than by searching it. The first of
// every two questions was used for tuning; the others were measured at the end.
func needs(t testing.TB, index *Index) (tuned, unseen *collection) {
	t.Helper()
	tuned, unseen = &collection{index: index}, &collection{index: index}
	eachLine(t, filepath.Join("testdata", "questions.jsonl"), func(line string) {
		var q struct {
			Ask      string
			Relevant []string
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		half := tuned
		if len(tuned.questions) > len(unseen.questions) {
			half = unseen
		}
		relevant := map[string]bool{}
		for _, one := range q.Relevant {
			relevant[one] = true
		}
		half.questions = append(half.questions, judgedQuestion{id: q.Ask, text: q.Ask, relevant: relevant})
	})
	return tuned, unseen
}

func TestQuestionsOfBuyersFindWhatAnswersThem(t *testing.T) {
	eachEngine(t, testQuestionsOfBuyersFindWhatAnswersThem)
}

func testQuestionsOfBuyersFindWhatAnswersThem(t *testing.T) {
	index := openMemory(t, extract(readCatalog(t, cncfFolder(t))), nil)
	tuned, unseen := needs(t, index)
	for _, half := range []struct {
		name  string
		least float64
		*collection
	}{{"tuned on", 0.30, tuned}, {"unseen", 0.30, unseen}} {
		for _, q := range half.questions {
			for slug := range q.relevant {
				if !slices.ContainsFunc(every(index.Corpus), func(l corpus.Listing) bool {
					r := l.Offer.Ref
					return r.Company+"/"+r.Kind.String()+"s/"+r.Slug == slug
				}) {
					t.Errorf("%q: there is no listing %s", q.text, slug)
				}
			}
		}
		ndcg, averagePrecision, nothing := half.quality(t)
		t.Logf("%d questions %s: nDCG@10 %.3f, MAP@100 %.3f, %d without an answer", len(half.questions), half.name, ndcg, averagePrecision, nothing)
		if ndcg < half.least || nothing > 0 {
			t.Errorf("nDCG@10 is %.3f, want %.2f; %d questions find nothing", ndcg, half.least, nothing)
		}
	}
}
