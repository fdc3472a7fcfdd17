/**
 * Shapes of text that contain a secret. A shape is `[name, write, options]`: `write` gets a name, a value and the
 * random numbers. `fits` says which values the shape can hold unchanged; `names` the words that the shape uses for a
 * secret.
 */

const plain = /^[A-Za-z0-9._~!$*+/=@#%^&?-]+$/
const bare = /^[A-Za-z0-9._~+/=-]+$/
const unreserved = /^[A-Za-z0-9._~-]+$/
const noEquals = /^[A-Za-z0-9._~!*@+/-]+$/

const snake =
  'password passwd pwd secret api_key access_token auth_token client_secret private_key signing_secret webhook_secret encryption_key refresh_token session_token passphrase db_password smtp_pass master_key secret_key access_key admin_password deploy_token app_secret bot_token jwt_secret'.split(
    ' ',
  )
const camel = snake.map((name) => name.replace(/_(\w)/g, (_, sign) => sign.toUpperCase()))
const pascal = camel.map((name) => name[0].toUpperCase() + name.slice(1))
const loud = [
  ...snake.map((name) => name.toUpperCase()),
  'STRIPE_SECRET_KEY',
  'GH_TOKEN',
  'SENDGRID_API_KEY',
  'POSTGRES_PASSWORD',
  'REDIS_PASS',
  'DJANGO_SECRET_KEY',
  'VAULT_TOKEN',
  'NPM_TOKEN',
]
const dashed = snake.map((name) => name.replaceAll('_', '-'))
const dotted = [
  'db.password',
  'spring.datasource.password',
  'app.jwt.secret',
  'mail.smtp.password',
  'service.api.key',
  'auth.token',
]
const spoken = [
  'password',
  'token',
  'API key',
  'secret',
  'api token',
  'access token',
  'passphrase',
  'secret key',
  'access key',
]
const foreign = [
  'Passwort',
  'Kennwort',
  'mot de passe',
  'contraseña',
  'senha',
  'wachtwoord',
  'hasło',
  'пароль',
  '密码',
  'パスワード',
  'lösenord',
  'clave secreta',
  'parola',
]

const host = (r) =>
  r.pick(['db.internal', 'cache01.example.net', '10.2.3.4', 'mail.example.org', 'registry.example.com'])
const user = (r) => r.pick(['app', 'svc-deploy', 'maria', 'root', 'reporting', 'jenkins'])
const stamp = (r) => `2025-0${1 + r.below(9)}-1${r.below(10)}T0${r.below(10)}:12:4${r.below(10)}Z`

export const shapes = [
  // Elements and attributes
  [
    'xml element',
    (k, v) => `<config>\n  <host>a</host>\n  <${k}>${v}</${k}>\n</config>`,
    { names: [...camel, ...pascal], fits: bare },
  ],
  [
    'xml spaced element',
    (k, v) => `<${k}>\n    ${v}\n  </${k}>`,
    { names: [...snake, ...pascal], fits: bare },
  ],
  [
    'xml namespaced element',
    (k, v) => `<soap:Body><wsse:${k} Type="PasswordText">${v}</wsse:${k}></soap:Body>`,
    { names: ['Password', 'Token', 'Secret', 'ApiKey'], fits: bare },
  ],
  [
    'xml attribute',
    (k, v, r) => `<datasource url="jdbc:h2:mem" username="${user(r)}" ${k}="${v}" pool="5"/>`,
    { names: [...camel, ...dashed], fits: bare },
  ],
  [
    'appSettings',
    (k, v) =>
      `<appSettings>\n  <add key="${k}" value="${v}"/>\n  <add key="Mode" value="fast"/>\n</appSettings>`,
    { names: pascal, fits: bare },
  ],
  ['appSettings turned', (k, v) => `<add value="${v}" key="${k}" />`, { names: pascal, fits: bare }],
  [
    'entry key',
    (k, v) => `<properties>\n<entry key="${k}">${v}</entry>\n</properties>`,
    { names: [...dotted, ...camel], fits: bare },
  ],
  [
    'setting value',
    (k, v) => `<Setting Name="${k}" Type="String">\n  <Value Profile="(Default)">${v}</Value>\n</Setting>`,
    { names: pascal, fits: bare },
  ],
  [
    'plist',
    (k, v) =>
      `<dict>\n\t<key>${k}</key>\n\t<string>${v}</string>\n\t<key>Interval</key>\n\t<integer>60</integer>\n</dict>`,
    { names: [...camel, ...snake], fits: bare },
  ],
  [
    'maven server',
    (_k, v, r) =>
      `<server>\n  <id>central</id>\n  <username>${user(r)}</username>\n  <password>${v}</password>\n</server>`,
    { names: ['password'], fits: bare },
  ],
  ['cdata', (k, v) => `<${k}><![CDATA[${v}]]></${k}>`, { names: pascal, fits: plain }],
  [
    'property element',
    (k, v) => `<bean id="ds"><property name="${k}"><value>${v}</value></property></bean>`,
    { names: camel, fits: bare },
  ],
  [
    'property attribute',
    (k, v) => `<property name="${k}" value="${v}"/>`,
    { names: [...camel, ...dotted], fits: bare },
  ],
  [
    'android string',
    (k, v) =>
      `<resources>\n    <string name="app_name">Demo</string>\n    <string name="${k}">${v}</string>\n</resources>`,
    { names: snake, fits: bare },
  ],
  [
    'html input',
    (k, v) => `<form><input type="hidden" name="${k}" value="${v}"><button>ok</button></form>`,
    { names: snake, fits: bare },
  ],
  ['html meta', (_k, v) => `<meta name="csrf-token" content="${v}">`, { names: ['csrf-token'], fits: bare }],
  ['html definition list', (k, v) => `<dt>${k}</dt><dd>${v}</dd>`, { names: spoken, fits: bare }],
  ['html table', (k, v) => `<tr><td>${k}</td><td><code>${v}</code></td></tr>`, { names: spoken, fits: bare }],
  // Settings
  ['ini', (k, v) => `[main]\nhost = a.b\n${k} = ${v}\nretries = 3\n`, { names: snake, fits: plain }],
  [
    'properties equals',
    (k, v) => `server.port=8080\n${k}=${v}\nlogging.level=INFO\n`,
    { names: dotted, fits: plain },
  ],
  ['properties spaced', (k, v) => `${k} = ${v}\n`, { names: dotted, fits: plain }],
  ['properties colon', (k, v) => `${k}: ${v}\n`, { names: dotted, fits: plain }],
  ['toml', (k, v) => `[auth]\n${k} = "${v}"\nttl = 30\n`, { names: [...snake, ...dashed], fits: plain }],
  ['toml literal', (k, v) => `${k} = '''${v}'''\n`, { names: snake, fits: plain }],
  [
    'yaml',
    (k, v) => `service:\n  name: web\n  ${k}: ${v}\n  replicas: 2\n`,
    { names: [...snake, ...camel], fits: bare },
  ],
  [
    'yaml quoted',
    (k, v) => `service:\n  ${k}: '${v}'\n  port: 80\n`,
    { names: [...snake, ...camel], fits: plain },
  ],
  [
    'yaml block',
    (k, v) => `service:\n  ${k}: |\n    ${v}\n  port: 80\n`,
    { names: [...snake, ...camel], fits: plain },
  ],
  [
    'yaml folded',
    (k, v) => `service:\n  ${k}: >-\n    ${v}\n  port: 80\n`,
    { names: [...snake, ...camel], fits: plain },
  ],
  [
    'yaml anchor',
    (k, v) => `defaults:\n  ${k}: &shared ${v}\n  other: *shared\n`,
    { names: snake, fits: bare },
  ],
  ['yaml flow', (k, v, r) => `login: {user: ${user(r)}, ${k}: ${v}}\n`, { names: snake, fits: bare }],
  [
    'yaml name value',
    (k, v) => `env:\n  - name: ${k}\n    value: "${v}"\n  - name: MODE\n    value: fast\n`,
    { names: loud, fits: plain },
  ],
  ['hcl', (k, v) => `provider "x" {\n  region = "eu"\n  ${k}  = "${v}"\n}\n`, { names: snake, fits: plain }],
  [
    'hcl variable',
    (k, v) => `variable "${k}" {\n  type    = string\n  default = "${v}"\n}\n`,
    { names: snake, fits: plain },
  ],
  ['env', (k, v) => `PORT=80\n${k}=${v}\n`, { names: loud, fits: plain }],
  ['env quoted', (k, v) => `export ${k}="${v}"\nexport PATH=$PATH:/x\n`, { names: loud, fits: plain }],
  ['env single', (k, v) => `${k}='${v}'\n`, { names: loud, fits: plain }],
  ['windows set', (k, v) => `@echo off\r\nset ${k}=${v}\r\nset "MODE=x"\r\n`, { names: loud, fits: bare }],
  ['setx', (k, v) => `setx ${k} "${v}" /M`, { names: loud, fits: bare }],
  ['fish set', (k, v) => `set -gx ${k} ${v}`, { names: loud, fits: bare }],
  ['powershell env', (k, v) => `$env:${k} = "${v}"`, { names: loud, fits: bare }],
  ['docker env', (k, v) => `FROM node\nENV ${k}=${v}\nRUN npm ci\n`, { names: loud, fits: bare }],
  ['docker env spaced', (k, v) => `FROM node\nENV ${k} ${v}\nRUN npm ci\n`, { names: loud, fits: bare }],
  ['docker arg', (k, v) => `ARG ${k}="${v}"\n`, { names: loud, fits: bare }],
  ['docker run', (k, v) => `docker run -d -e ${k}=${v} -p 80:80 web`, { names: loud, fits: bare }],
  ['compose list', (k, v) => `environment:\n  - MODE=x\n  - ${k}=${v}\n`, { names: loud, fits: plain }],
  ['compose quoted', (k, v) => `environment:\n  - "${k}=${v}"\n`, { names: loud, fits: plain }],
  [
    'k8s data',
    (k, v) =>
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: web\ndata:\n  ${k}: ${Buffer.from(v).toString('base64')}\n`,
    {
      names: [...dashed, 'config', 'ca', 'value'],
      fits: plain,
      hides: (v) => [Buffer.from(v).toString('base64')],
    },
  ],
  [
    'k8s stringData',
    (k, v) => `kind: Secret\nmetadata:\n  name: web\nstringData:\n  ${k}: ${v}\n`,
    { names: [...dashed, 'dsn', 'value'], fits: bare },
  ],
  ['add-mask', (_k, v) => `::add-mask::${v}`, { fits: plain }],
  ['github output', (k, v) => `::set-output name=${k}::${v}`, { names: snake, fits: bare }],
  [
    'terraform state',
    (k, v) =>
      JSON.stringify(
        { resources: [{ type: 'x', values: { name: 'a', [k]: v }, sensitive_values: { [k]: true } }] },
        null,
        2,
      ),
    { names: [...snake, 'result', 'value'], fits: plain },
  ],
  [
    'terraform output',
    (k, v) => JSON.stringify({ [k]: { sensitive: true, type: 'string', value: v } }, null, 2),
    { names: [...snake, 'endpoint'], fits: plain },
  ],
  // Files of credentials
  ['netrc', (_k, v, r) => `machine ${host(r)} login ${user(r)} password ${v}\n`, { fits: plain }],
  ['netrc lines', (_k, v, r) => `machine ${host(r)}\n  login ${user(r)}\n  password ${v}\n`, { fits: plain }],
  ['pgpass', (_k, v, r) => `${host(r)}:5432:shop:${user(r)}:${v}\n`, { fits: /^[^:\\\s]+$/ }],
  [
    'npmrc',
    (_k, v) => `registry=https://npm.example.com/\n//npm.example.com/:_authToken=${v}\n`,
    { fits: bare },
  ],
  [
    'npmrc password',
    (_k, v) => `//npm.example.com/:_password=${Buffer.from(v).toString('base64')}\n`,
    { fits: plain, hides: (v) => [Buffer.from(v).toString('base64')] },
  ],
  ['pypirc', (_k, v) => `[pypi]\nusername = __token__\npassword = ${v}\n`, { fits: bare }],
  [
    'git-credentials',
    (_k, v, r) => `https://${user(r)}:${encodeURIComponent(v)}@git.example.com\n`,
    { fits: plain, hides: (v) => [encodeURIComponent(v)] },
  ],
  [
    'dockerconfig',
    (_k, v, r) =>
      JSON.stringify({
        auths: { 'registry.example.com': { auth: Buffer.from(`${user(r)}:${v}`).toString('base64') } },
      }),
    { fits: plain, hidesText: /"auth":"([^"]+)"/ },
  ],
  [
    'htpasswd',
    (_k, v, r) => `${user(r)}:$apr1$${v.slice(0, 8)}$${v.slice(0, 22).padEnd(22, 'x')}\n`,
    { fits: /^[A-Za-z0-9]{20,}$/, hidesText: /\$apr1\$.{8}\$(.{22})/ },
  ],
  [
    'shadow',
    (_k, v, r) => `${user(r)}:$6$${v.slice(0, 8)}$${v.repeat(3).slice(0, 86)}:19000:0:99999:7:::\n`,
    { fits: /^[A-Za-z0-9]{30,}$/, hidesText: /\$6\$.{8}\$([^:]{86})/ },
  ],
  [
    'bcrypt',
    (_k, v, r) => `${user(r)}:$2y$10$${v.repeat(3).slice(0, 53)}\n`,
    { fits: /^[A-Za-z0-9]{20,}$/, hidesText: /\$2y\$10\$(.{53})/ },
  ],
  ['ldif', (_k, v, r) => `dn: uid=${user(r)},dc=example\nuserPassword: ${v}\n`, { fits: plain }],
  ['wpa', (_k, v) => `network={\n  ssid="home"\n  psk="${v}"\n}\n`, { fits: plain }],
  ['nmconnection', (_k, v) => `[wifi-security]\nkey-mgmt=wpa-psk\npsk=${v}\n`, { fits: plain }],
  ['snmp', (_k, v) => `snmp-server community ${v} RO\n`, { fits: bare }],
  ['cisco', (_k, v, r) => `username ${user(r)} privilege 15 secret 0 ${v}\n`, { fits: bare }],
  ['cisco enable', (_k, v) => `enable secret ${v}\n`, { fits: bare }],
  [
    'aws credentials',
    (_k, v) => `[default]\naws_secret_access_key = ${v}\nregion = eu-west-1\n`,
    { fits: bare },
  ],
  ['my.cnf', (_k, v, r) => `[client]\nuser=${user(r)}\npassword="${v}"\n`, { fits: plain }],
  [
    'odbc',
    (_k, v, r) => `Driver={SQL};Server=${host(r)};Uid=${user(r)};Pwd=${v};Encrypt=yes;`,
    { fits: noEquals },
  ],
  // Command lines
  ['curl -u', (_k, v, r) => `curl -s -u ${user(r)}:${v} https://api.example.com/v1/items`, { fits: bare }],
  ['curl --user', (_k, v, r) => `curl --user '${user(r)}:${v}' https://api.example.com/`, { fits: plain }],
  ['curl header', (_k, v) => `curl -H "X-Api-Key: ${v}" https://api.example.com/`, { fits: plain }],
  [
    'curl bearer',
    (_k, v) => `curl -H 'Authorization: Bearer ${v}' https://api.example.com/`,
    { fits: plain },
  ],
  [
    'curl data',
    (k, v) => `curl -d '${k}=${encodeURIComponent(v)}&x=1' https://a.example.com/`,
    { names: snake, fits: plain, hides: (v) => [encodeURIComponent(v)] },
  ],
  [
    'curl json',
    (k, v) => `curl -d "{\\"${k}\\":\\"${v}\\",\\"a\\":1}" https://a.example.com/`,
    { names: [...snake, ...camel], fits: plain },
  ],
  ['flag spaced', (k, v) => `tool login --${k} ${v} --verbose`, { names: dashed, fits: bare }],
  ['flag equals', (k, v) => `tool login --${k}=${v} --verbose`, { names: dashed, fits: bare }],
  ['flag quoted', (k, v) => `tool login --${k} '${v}' --verbose`, { names: dashed, fits: plain }],
  ['mysql -p', (_k, v, r) => `mysql -h ${host(r)} -u ${user(r)} -p${v} shop`, { fits: bare }],
  ['mysqldump -p quoted', (_k, v, r) => `mysqldump -u${user(r)} -p'${v}' shop > a.sql`, { fits: plain }],
  ['sshpass', (_k, v, r) => `sshpass -p ${v} ssh ${user(r)}@${host(r)}`, { fits: bare }],
  ['sshpass quoted', (_k, v, r) => `sshpass -p '${v}' scp a ${user(r)}@${host(r)}:`, { fits: plain }],
  ['PGPASSWORD', (_k, v, r) => `PGPASSWORD=${v} psql -h ${host(r)} -U ${user(r)}`, { fits: bare }],
  ['docker login', (_k, v, r) => `docker login -u ${user(r)} -p ${v} registry.example.com`, { fits: bare }],
  ['redis-cli', (_k, v, r) => `redis-cli -h ${host(r)} -a ${v} ping`, { fits: bare }],
  ['mongosh', (_k, v, r) => `mongosh --host ${host(r)} -u ${user(r)} -p ${v}`, { fits: bare }],
  ['echo pipe', (_k, v) => `echo '${v}' | docker login --username a --password-stdin`, { fits: plain }],
  ['echo sudo', (_k, v) => `echo "${v}" | sudo -S apt-get update`, { fits: plain }],
  ['net user', (_k, v, r) => `net user ${user(r)} ${v} /add`, { fits: bare }],
  ['openssl pass', (_k, v) => `openssl enc -d -aes-256-cbc -in a -pass pass:${v}`, { fits: bare }],
  ['htpasswd -b', (_k, v, r) => `htpasswd -b .htpasswd ${user(r)} ${v}`, { fits: bare }],
  ['chpasswd', (_k, v, r) => `echo '${user(r)}:${v}' | chpasswd`, { fits: plain }],
  ['SecureString', (_k, v) => `$p = ConvertTo-SecureString "${v}" -AsPlainText -Force`, { fits: bare }],
  ['7z', (_k, v) => `7z x -p${v} backup.7z`, { fits: bare }],
  ['keytool', (_k, v) => `keytool -list -keystore a.jks -storepass ${v}`, { fits: bare }],
  ['gh secret', (k, v) => `gh secret set ${k} --body "${v}"`, { names: loud, fits: plain }],
  ['vault kv', (k, v) => `vault kv put secret/app ${k}=${v}`, { names: snake, fits: bare }],
  [
    'kubectl literal',
    (k, v) => `kubectl create secret generic web --from-literal=${k}=${v}`,
    { names: [...dashed, 'value'], fits: bare },
  ],
  ['aws configure', (_k, v) => `aws configure set aws_secret_access_key ${v}`, { fits: bare }],
  ['npm config', (_k, v) => `npm config set //registry.npmjs.org/:_authToken ${v}`, { fits: bare }],
  [
    'git config',
    (_k, v) =>
      `git config http.extraheader "AUTHORIZATION: basic ${Buffer.from(`x:${v}`).toString('base64')}"`,
    { fits: plain, hidesText: /basic ([^"]+)/ },
  ],
  // Addresses and headers
  [
    'postgres url',
    (_k, v, r) => `postgresql://${user(r)}:${v}@${host(r)}:5432/shop?sslmode=require`,
    { fits: unreserved },
  ],
  [
    'mongodb url',
    (_k, v, r) => `mongodb+srv://${user(r)}:${encodeURIComponent(v)}@cluster0.example.net/shop`,
    { fits: plain, hides: (v) => [encodeURIComponent(v)] },
  ],
  ['redis url', (_k, v, r) => `redis://:${v}@${host(r)}:6379/0`, { fits: unreserved }],
  ['amqp url', (_k, v, r) => `amqps://${user(r)}:${v}@${host(r)}/vhost`, { fits: unreserved }],
  [
    'url raw password',
    (_k, v, r) => `connect to mysql://${user(r)}:${v}@${host(r)}/shop`,
    { fits: /^[^\s/?#"'<>]+$/ },
  ],
  [
    'jdbc url',
    (_k, v, r) => `jdbc:postgresql://${host(r)}/shop?user=${user(r)}&password=${v}&ssl=true`,
    { fits: unreserved },
  ],
  [
    'jdbc sqlserver',
    (_k, v, r) => `jdbc:sqlserver://${host(r)};databaseName=a;user=${user(r)};password=${v};`,
    { fits: noEquals },
  ],
  ['go dsn', (_k, v, r) => `${user(r)}:${v}@tcp(${host(r)}:3306)/shop?parseTime=true`, { fits: unreserved }],
  [
    'libpq',
    (_k, v, r) => `host=${host(r)} port=5432 user=${user(r)} password=${v} dbname=shop`,
    { fits: plain },
  ],
  ['oracle', (_k, v, r) => `sqlplus ${user(r)}/${v}@${host(r)}:1521/ORCL`, { fits: unreserved }],
  [
    'net connection',
    (_k, v, r) => `"Default": "Server=${host(r)};Database=shop;User Id=${user(r)};Password=${v};"`,
    { fits: noEquals },
  ],
  [
    'query',
    (k, v) => `GET /v1/items?page=2&${k}=${encodeURIComponent(v)} HTTP/1.1`,
    { names: [...snake, 'key', 'sig', 'token'], fits: plain, hides: (v) => [encodeURIComponent(v)] },
  ],
  [
    'fragment',
    (_k, v) => `https://app.example.com/cb#access_token=${v}&token_type=bearer`,
    { fits: unreserved },
  ],
  ['oauth code', (_k, v) => `https://app.example.com/callback?code=${v}&state=xyz`, { fits: unreserved }],
  [
    'aws signed',
    (_k, v) =>
      `https://b.s3.amazonaws.com/k?X-Amz-Date=20250101T000000Z&X-Amz-Expires=60&X-Amz-Signature=${v}`,
    { fits: /^[0-9a-f]{64}$/ },
  ],
  [
    'google signed',
    (_k, v) => `https://storage.googleapis.com/b/o?X-Goog-Expires=60&X-Goog-Signature=${v}`,
    { fits: /^[0-9a-f]{64}$/ },
  ],
  [
    'azure sas',
    (_k, v) =>
      `https://a.blob.core.windows.net/c/f?sv=2022-11-02&se=2025-01-01&sr=b&sp=r&sig=${encodeURIComponent(v)}`,
    { fits: /^[A-Za-z0-9+/]{43}=$/, hides: (v) => [encodeURIComponent(v)] },
  ],
  [
    'token body',
    (k, v) => `grant_type=refresh_token&client_id=web&${k}=${v}`,
    { names: ['client_secret', 'refresh_token', 'assertion', 'code', 'code_verifier'], fits: unreserved },
  ],
  [
    'bearer header',
    (_k, v) => `GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${v}\r\nAccept: */*\r\n`,
    { fits: bare },
  ],
  [
    'basic header',
    (_k, v, r) => `Authorization: Basic ${Buffer.from(`${user(r)}:${v}`).toString('base64')}`,
    { fits: plain, hidesText: /Basic (\S+)/ },
  ],
  ['token header', (_k, v) => `Authorization: token ${v}`, { fits: bare }],
  ['raw authorization', (_k, v) => `authorization: ${v}`, { fits: bare }],
  [
    'digest header',
    (_k, v) => `Authorization: Digest username="a", realm="r", nonce="n1", uri="/", response="${v}"`,
    { fits: /^[0-9a-f]{32}$/ },
  ],
  [
    'proxy header',
    (_k, v) => `Proxy-Authorization: Basic ${Buffer.from(`p:${v}`).toString('base64')}`,
    { fits: plain, hidesText: /Basic (\S+)/ },
  ],
  [
    'key header',
    (k, v) => `${k}: ${v}`,
    {
      names: [
        'X-Api-Key',
        'X-Auth-Token',
        'api-key',
        'Ocp-Apim-Subscription-Key',
        'X-Vault-Token',
        'PRIVATE-TOKEN',
        'x-functions-key',
        'X-Amz-Security-Token',
        'x-goog-api-key',
        'DD-API-KEY',
        'X-Shopify-Access-Token',
        'X-CSRF-Token',
      ],
      fits: bare,
    },
  ],
  [
    'key header quoted',
    (k, v) => `headers: {'${k}': '${v}', 'accept': '*/*'}`,
    { names: ['X-Api-Key', 'X-Auth-Token', 'api-key', 'x-functions-key', 'PRIVATE-TOKEN'], fits: plain },
  ],
  [
    'cookie',
    (k, v) => `Cookie: theme=dark; ${k}=${v}; lang=en`,
    {
      names: [
        'sessionid',
        'PHPSESSID',
        'JSESSIONID',
        'connect.sid',
        'session',
        'auth',
        '__Secure-next-auth.session-token',
        'laravel_session',
      ],
      fits: /^[A-Za-z0-9._~+/-]{20,}$/,
    },
  ],
  [
    'set-cookie',
    (k, v) => `Set-Cookie: ${k}=${v}; Path=/; HttpOnly; Secure`,
    {
      names: ['sessionid', 'PHPSESSID', 'sid', 'session', 'auth_token', 'remember_me'],
      fits: /^[A-Za-z0-9._~+/-]{20,}$/,
    },
  ],
  [
    'multipart',
    (k, v) => `------b\r\nContent-Disposition: form-data; name="${k}"\r\n\r\n${v}\r\n------b--`,
    { names: snake, fits: plain },
  ],
  [
    'graphql',
    (k, v) =>
      JSON.stringify({
        query: 'mutation L($a: String!) { login(a: $a) { id } }',
        variables: { user: 'a', [k]: v },
      }),
    { names: camel, fits: plain },
  ],
  [
    'graphql inline',
    (k, v) => `mutation { login(user: "a", ${k}: "${v}") { id } }`,
    { names: camel, fits: plain },
  ],
  [
    'otpauth',
    (_k, v) =>
      `otpauth://totp/Shop:a@example.com?secret=${v
        .toUpperCase()
        .replace(/[^A-Z2-7]/g, 'A')
        .slice(0, 32)}&issuer=Shop`,
    { fits: /^[A-Za-z0-9]{32,}$/, hidesText: /secret=([A-Z2-7]+)/ },
  ],
  // Code and logs
  [
    'json',
    (k, v) => JSON.stringify({ id: 7, [k]: v, on: true }),
    { names: [...snake, ...camel], fits: plain },
  ],
  [
    'json nested',
    (k, v) => JSON.stringify(JSON.stringify({ id: 7, [k]: v })),
    { names: [...snake, ...camel], fits: plain },
  ],
  [
    'json pair',
    (k, v) =>
      JSON.stringify([
        { name: 'MODE', value: 'x' },
        { name: k, value: v },
      ]),
    { names: loud, fits: plain },
  ],
  [
    'json key value',
    (k, v) => JSON.stringify({ Key: k, Value: v }),
    { names: [...loud, ...pascal], fits: plain },
  ],
  [
    'json slashes',
    (k, v) => JSON.stringify({ [k]: v }).replaceAll('/', String.raw`\/`),
    { names: snake, fits: /\//, hides: (v) => [v.replaceAll('/', String.raw`\/`)] },
  ],
  [
    'python dict',
    (k, v, r) => `{'user': '${user(r)}', '${k}': '${v}', 'port': 5432}`,
    { names: snake, fits: plain },
  ],
  [
    'python kwargs',
    (k, v) => `client = connect(host="a", ${k}="${v}", timeout=3)`,
    { names: snake, fits: plain },
  ],
  ['python bytes', (k, v) => `${k} = b'${v}'`, { names: loud, fits: plain }],
  ['ruby hash', (k, v) => `{:user => "a", :${k} => "${v}"}`, { names: snake, fits: plain }],
  [
    'php array',
    (k, v) => `'db' => [\n  'host' => 'a',\n  '${k}' => '${v}',\n],`,
    { names: snake, fits: plain },
  ],
  ['php define', (k, v) => `define('${k}', '${v}');`, { names: loud, fits: plain }],
  ['js object', (k, v) => `const db = { host: 'a', ${k}: '${v}', port: 1 }`, { names: camel, fits: plain }],
  ['js template', (k, v) => `const ${k} = \`${v}\`;`, { names: camel, fits: plain }],
  ['js fallback', (k, v) => `const key = process.env.${k} || '${v}';`, { names: loud, fits: plain }],
  [
    'go struct',
    (k, v) => `conn failed: {Host:db User:app ${k}:${v} Port:5432}`,
    { names: pascal, fits: bare },
  ],
  ['go literal', (k, v) => `cfg := Config{Host: "a", ${k}: "${v}"}`, { names: pascal, fits: plain }],
  ['rust debug', (k, v) => `Config { host: "a", ${k}: "${v}", port: 1 }`, { names: snake, fits: plain }],
  ['rust some', (k, v) => `Config { ${k}: Some("${v}"), port: 1 }`, { names: snake, fits: plain }],
  ['java toString', (k, v) => `User(name=a, ${k}=${v}, roles=[x])`, { names: camel, fits: bare }],
  ['java setter', (k, v) => `dataSource.set${k}("${v}");`, { names: pascal, fits: plain }],
  ['java constant', (k, v) => `private static final String ${k} = "${v}";`, { names: loud, fits: plain }],
  ['c define', (k, v) => `#define ${k} "${v}"`, { names: loud, fits: plain }],
  [
    'logfmt',
    (k, v, r) => `ts=${stamp(r)} level=info msg="login" ${k}=${v} took=3ms`,
    { names: snake, fits: bare },
  ],
  [
    'logfmt quoted',
    (k, v, r) => `ts=${stamp(r)} level=debug ${k}="${v}" took=3ms`,
    { names: snake, fits: plain },
  ],
  [
    'log colon',
    (k, v, r) => `${stamp(r)} INFO auth - ${k}: ${v}`,
    { names: [...snake, ...spoken], fits: bare },
  ],
  [
    'log brackets',
    (k, v, r) => `[${stamp(r)}] [debug] using ${k} [${v}] for login`,
    { names: [...snake, ...spoken], fits: bare },
  ],
  ['log received', (k, v, r) => `${stamp(r)} DEBUG received ${k} ${v}`, { names: spoken, fits: bare }],
  ['sql identified', (_k, v, r) => `CREATE USER '${user(r)}'@'%' IDENTIFIED BY '${v}';`, { fits: plain }],
  ['sql role', (_k, v, r) => `ALTER ROLE ${user(r)} WITH LOGIN PASSWORD '${v}';`, { fits: plain }],
  ['sql login', (_k, v, r) => `CREATE LOGIN ${user(r)} WITH PASSWORD = N'${v}';`, { fits: plain }],
  [
    'sql update',
    (_k, v, r) => `UPDATE users SET password = '${v}' WHERE name = '${user(r)}';`,
    { fits: plain },
  ],
  [
    'sql insert',
    (_k, v, r) => `INSERT INTO users (name, password) VALUES ('${user(r)}', '${v}');`,
    { fits: plain },
  ],
  ['csv', (_k, v, r) => `name,login,password\nShop,${user(r)},${v}\n`, { fits: plain }],
  [
    'markdown table',
    (k, v) => `| Setting | Value |\n|---|---|\n| ${k} | \`${v}\` |\n`,
    { names: [...snake, ...spoken], fits: plain },
  ],
  ['markdown bold', (k, v) => `- **${k}**: \`${v}\`\n`, { names: [...snake, ...spoken], fits: plain }],
  ['diff', (k, v) => `@@ -1 +1 @@\n-${k}: old\n+${k}: ${v}\n`, { names: snake, fits: bare }],
  [
    'stack trace',
    (k, v) => `Error: invalid ${k} "${v}" at login (auth.js:3:1)`,
    { names: spoken, fits: plain },
  ],
  // Prose
  ['prose is', (k, v) => `By the way, the ${k} is ${v}`, { names: spoken, fits: bare }],
  ['prose is quoted', (k, v) => `The ${k} is "${v}", please keep it.`, { names: spoken, fits: plain }],
  ['prose dash', (k, v) => `${k} - '${v}'`, { names: spoken, fits: plain }],
  ['prose bare dash', (k, v) => `${k} - ${v}`, { names: spoken, fits: bare }],
  ['prose arrow', (k, v) => `${k} → ${v}`, { names: spoken, fits: bare }],
  ['prose ascii arrow', (k, v) => `${k} -> ${v}`, { names: spoken, fits: bare }],
  ['prose as', (k, v) => `Use '${v}' as the ${k} for staging.`, { names: spoken, fits: plain }],
  ['prose set to', (k, v) => `I set the ${k} to ${v} yesterday.`, { names: spoken, fits: bare }],
  ['prose changed', (k, v) => `The ${k} was changed from old to '${v}'.`, { names: spoken, fits: plain }],
  ['prose foreign', (k, v) => `${k}: ${v}`, { names: foreign, fits: bare }],
  ['prose foreign french', (_k, v) => `mot de passe : ${v}`, { fits: bare }],
  ['prose foreign is', (_k, v) => `Das Passwort lautet ${v}`, { fits: bare }],
  ['prose slash', (_k, v, r) => `login: ${user(r)} / ${v}`, { fits: bare }],
  ['prose login with', (_k, v, r) => `Log in as ${user(r)} with password ${v}`, { fits: bare }],
  ['prose credentials', (_k, v, r) => `Credentials: ${user(r)}:${v}`, { fits: bare }],
  ['prose new line', (k, v) => `Your ${k}:\n\n    ${v}\n\nDo not share it.`, { names: spoken, fits: bare }],
]
