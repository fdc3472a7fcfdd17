import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../../test/attack/random.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LONGEST = 20_000
/** Files that hold keys and passwords on purpose: tests of cryptography, and lists of patterns for secrets. */
const WITH_SECRETS = /secretlint|openredaction|[/\\]tests?[/\\]|\.test\.|\.pem$|fixtures|[/\\]\.\w/

/** Texts without a secret: half of them files of packages, half of them drawn from the forms below. */
export function cleanTexts(count) {
  const random = createRandom(77)
  const files = ['node_modules', 'bench/node_modules']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter(
      (entry) => entry.isFile() && /\.(?:[cm]?[jt]sx?|md|json|ya?ml|css|html|txt|map)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !WITH_SECRETS.test(path))
    .sort()
  const picked = Array.from({ length: count / 2 }, () => random.pick(files)).map((path) => ({
    from: path.slice(root.length),
    text: readFileSync(path, 'utf8').slice(0, LONGEST),
  }))
  const names = Object.keys(forms)
  const drawn = Array.from({ length: count / 2 }, () => {
    const name = random.pick(names)
    return { from: name, text: forms[name](random) }
  })
  return [...picked, ...drawn]
}

const hex = (random, length) =>
  createHash('sha512').update(String(random.next())).digest('hex').slice(0, length)
const base64 = (random) => createHash('sha512').update(String(random.next())).digest('base64')
const uuid = (random) => hex(random, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const lines = (random, count, write) => Array.from({ length: count }, () => write(random)).join('\n')

const forms = {
  'git log': (r) =>
    lines(r, 6, () => `commit ${hex(r, 40)}\nAuthor: A <a@example.com>\n\n    Rotate the token of the bot\n`),
  'git diff': (r) =>
    `diff --git a/auth.ts b/auth.ts\nindex ${hex(r, 7)}..${hex(r, 7)} 100644\n-  password: string\n+  password?: string\n`,
  'lock file': (r) =>
    JSON.stringify(
      {
        'node_modules/a': {
          version: '1.2.3',
          resolved: 'https://registry.npmjs.org/a/-/a-1.2.3.tgz',
          integrity: `sha512-${base64(r)}`,
        },
      },
      null,
      2,
    ),
  'yarn lock': (r) =>
    `"js-tokens@^3.0.0 || ^4.0.0":\n  version "4.0.0"\n  resolved "https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#${hex(r, 40)}"\n  integrity sha512-${base64(r)}\n`,
  'go sum': (r) => `github.com/a/token v1.2.3 h1:${base64(r).slice(0, 43)}=\n`,
  'cargo lock': (r) => `[[package]]\nname = "secrecy"\nversion = "0.8.0"\nchecksum = "${hex(r, 64)}"\n`,
  'docker digest': (r) =>
    `FROM node:20@sha256:${hex(r, 64)}\nENV TOKEN_FILE=/run/secrets/token\nARG NPM_TOKEN\n`,
  'uuid list': (r) => lines(r, 8, () => `id=${uuid(r)} session=none key=user:${r.below(99999)}`),
  'base64 image': (r) => `<img alt="key" src="data:image/png;base64,${base64(r)}${base64(r)}">`,
  'source map': (r) => `//# sourceMappingURL=data:application/json;base64,${base64(r)}`,
  css: (r) =>
    `.password-input { color: #${hex(r, 6)}; background: url(token-${hex(r, 8)}.svg) }\n.key::after { content: "\\f084" }`,
  'readme placeholder': (r) =>
    `export API_KEY=${r.pick(['YOUR_API_KEY', '<your-key>', 'xxxxxxxxxxxxxxxx', '${API_KEY}', 'your_api_key_here', '...', 'sk-...', '$MY_KEY', '********'])}\ncurl -H "Authorization: Bearer $TOKEN" https://api.example.com`,
  'typescript type': () =>
    `interface Login {\n  password: string\n  token: Token\n  apiKey?: string | undefined\n  secret: Secret<string>\n  readonly accessToken: AccessTokenProvider\n}`,
  form: (r) =>
    `<form><label for="password">Password</label><input type="password" name="password" id="pw${r.below(9)}" placeholder="Your password" required></form>`,
  i18n: () =>
    JSON.stringify({
      password: 'Password',
      'password.hint': 'At least 8 characters',
      token: 'Token',
      apiKey: 'API key',
      secret: 'Geheimnis',
      forgotPassword: 'Forgot your password?',
      wrong_password: 'Das Passwort ist falsch',
    }),
  'sql dump': (r) =>
    `CREATE TABLE users (id int, name varchar(64), password varchar(255) NOT NULL, token_id int);\nINSERT INTO orders VALUES (${r.below(9999)}, 'open', '2025-01-0${1 + r.below(9)}');\nSELECT password FROM users WHERE token = $1;`,
  'access log': (r) =>
    `10.0.0.${r.below(255)} - - [10/Oct/2025:13:55:36] "GET /auth/token HTTP/1.1" 200 ${r.below(9999)} "-" "curl/8.1"`,
  'json log': (r) =>
    JSON.stringify({
      level: 30,
      time: 1_700_000_000_000 + r.below(1e9),
      reqId: uuid(r),
      msg: 'token refreshed',
      token_type: 'Bearer',
      expires_in: 3600,
      key_id: hex(r, 16),
    }),
  code: (r) =>
    `const token = await getToken(user.id)\nif (password !== confirmPassword) throw new Error('Passwords differ')\nconst key = \`user:\${id}\`\nlet secret = process.env.SECRET ?? ''\nconst apiKey = config.get('apiKey')\n// step ${r.below(99)}`,
  'python code': () =>
    `def login(user, password=None, token: str = ""):\n    secret = os.environ["SECRET"]\n    key = hashlib.sha256(password.encode("utf-8")).hexdigest()\n    return {"password": password, "token": get_token(user)}`,
  prose: (r) =>
    r.pick([
      'The password is stored as a hash. The token is valid for one hour.',
      'Use a password manager. Your API key is in the settings page.',
      'Set the token to a random value before you deploy.',
      'The secret is to stay calm; the key is patience.',
      'Password - a word that only you know. Token -> a piece of text.',
      'Log in as admin with password authentication enabled.',
      'If the access token was changed from the dashboard, sign in again.',
      'Das Passwort lautet anders als der Name.',
      'Enter the passphrase as the argument of the command.',
    ]),
  k8s: () =>
    `apiVersion: v1\nkind: Deployment\nspec:\n  env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: db\n        key: password\n  - name: MODE\n    value: "production"\n`,
  'k8s config': (r) =>
    `kind: ConfigMap\nmetadata:\n  name: web\n  uid: ${uuid(r)}\ndata:\n  mode: production\n  level: aW5mbw==\n`,
  terraform: () =>
    `variable "db_password" {\n  type      = string\n  sensitive = true\n}\nresource "x" "y" {\n  password = var.db_password\n  token    = data.vault.token\n}\n`,
  compose: () =>
    `environment:\n  - DB_PASSWORD=\${DB_PASSWORD}\n  - TOKEN_FILE=/run/secrets/token\n  - MODE=production\n`,
  actions: () =>
    `env:\n  NPM_TOKEN: \${{ secrets.NPM_TOKEN }}\n  PASSWORD: \${{ inputs.password }}\nsteps:\n  - uses: actions/checkout@8ade135a41bc03ea155e62e844d188df1ea18608\n`,
  openapi: () =>
    JSON.stringify({
      properties: {
        password: { type: 'string', format: 'password', minLength: 8 },
        token: { type: 'string', description: 'The access token', example: 'string' },
      },
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    }),
  'xml schema': () =>
    `<xs:element name="password" type="xs:string"/>\n<xs:element name="token" type="tns:Token" minOccurs="0"/>\n<property name="password" ref="passwordEncoder"/>\n<Password>${'${env.PASSWORD}'}</Password>`,
  android: () =>
    `<string name="password_hint">Enter your password</string>\n<string name="api_key_title">API key</string>\n<string name="token">Token</string>`,
  'command help': () =>
    `  -p, --password <password>   Password for the user\n  --token TOKEN               access token\n  --api-key string            the API key to use\n  -u, --user name[:password]\n`,
  csv: (r) =>
    `id,name,token_count,password_changed\n${r.below(999)},Maria,1532,2025-01-01\n${r.below(999)},Jan,99,2025-02-02\n`,
  minified: (r) =>
    `!function(e,t){var n=e.token,r=t.password;return n?{key:r,secret:n.secret,id:"${hex(r, 8)}"}:o(n,r)}(a,b);`,
  'hash list': (r) => lines(r, 5, () => `${hex(r, 64)}  dist/token-${hex(r, 8)}.js`),
  etag: (r) =>
    `HTTP/1.1 200 OK\nETag: "${hex(r, 32)}"\nX-Request-Id: ${uuid(r)}\nContent-Security-Policy: script-src 'sha256-${base64(r).slice(0, 43)}='\n`,
  'csp nonce': () => `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\nAccept: */*\n`,
  'stack trace': (r) =>
    `Error: invalid token "}" at position ${r.below(99)}\n    at Parser.parseToken (/app/node_modules/x/parse-token.js:${r.below(999)}:13)\n    at login (/app/src/auth/password.js:10:5)`,
  'ssh public': (r) =>
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${base64(r).slice(0, 43).replaceAll(/[+/]/g, 'a')} me@host`,
  certificate: (r) =>
    `-----BEGIN CERTIFICATE-----\n${base64(r).slice(0, 64)}\n${base64(r).slice(0, 64)}\n-----END CERTIFICATE-----`,
  'test names': () =>
    `PASS test/token.test.ts\n  ✓ rejects a wrong password (3 ms)\n  ✓ token: refreshes\nFAIL src/secret.spec.js`,
  'markdown table': () =>
    `| Option | Default | Meaning |\n|---|---|---|\n| password | none | The password of the user |\n| token | \`undefined\` | Access token |\n| apiKey | \`""\` | |\n`,
  chat: (r) =>
    `I counted ${r.below(9999)} tokens; the key is at index ${r.below(99)}. Credentials: see the vault. login: maria / developer`,
  ids: (r) =>
    `pod web-${hex(r, 10)}-x2k9z started; image id ${hex(r, 12)}; trace ${hex(r, 32)}; span ${hex(r, 16)}; arn:aws:secretsmanager:eu-west-1:123456789012:secret:web-AbCdEf`,
}
