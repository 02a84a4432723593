// A certified OpenID Connect provider for a test: it prints its issuer, gives
// JWT access tokens for client credentials, and ends with its standard input.
import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';

const key = (type, options, more) => ({
  ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }), use: 'sig', ...more,
});

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    jwks: {
      keys: [
        key('rsa', { modulusLength: 2048 }, { kid: 'rsa', alg: 'RS256' }),
        key('ec', { namedCurve: 'P-256' }, { kid: 'ec', alg: 'ES256' }),
      ],
    },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    clients: [{
      client_id: 'tool', client_secret: 'a secret of the test', redirect_uris: [], response_types: [],
      grant_types: ['client_credentials'],
    }],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          scope: '', audience: resource, accessTokenTTL: 60, accessTokenFormat: 'jwt',
          jwt: { sign: { alg: resource.endsWith('/ec') ? 'ES256' : 'RS256' } },
        }),
      },
    },
    extraTokenClaims: (_, token) => ({ workspace: `workspace of ${token.clientId}` }),
  });
  server.on('request', provider.callback());
  console.log(issuer);
});
process.stdin.on('end', () => process.exit()).resume();
