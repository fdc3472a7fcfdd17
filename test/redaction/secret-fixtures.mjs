// Secrets for tests and benchmarks, made when they are needed from what is published about their formats: nothing in this
// repository looks like a real secret.
const SMALL = 'abcdefghijklmnopqrstuvwxyz'
const CAPITAL = SMALL.toUpperCase()
const DIGIT = '0123456789'
const HEX = `${DIGIT}abcdef`
const ALNUM = SMALL + CAPITAL + DIGIT
const LOWER_ALNUM = SMALL + DIGIT
const WORD = `${ALNUM}_-`

/** Numbers that are the same for the same seed. */
export function createDice(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const draw = (letters, count) =>
    Array.from({ length: count }, () => letters[Math.floor(next() * letters.length)]).join('')
  return { next, draw }
}

const uuid = ({ draw }) => [8, 4, 4, 4, 12].map((count) => draw(HEX, count)).join('-')
const base64 = ({ draw }, bytes) => Buffer.from(draw(ALNUM, bytes)).toString('base64')
const base64url = ({ draw }, text) =>
  Buffer.from(JSON.stringify({ ...text, jti: draw(ALNUM, 12) })).toString('base64url')

/** Formats that tell by themselves what they are. */
export const tokenFormats = {
  aws_access_key: ({ draw }) => `AKIA${draw(`${CAPITAL}234567`, 16)}`,
  aws_session_key: ({ draw }) => `ASIA${draw(`${CAPITAL}234567`, 16)}`,
  google_api_key: ({ draw }) => `AIza${draw(WORD, 35)}`,
  google_oauth: ({ draw }) => `ya29.${draw(WORD, 68)}`,
  google_client_secret: ({ draw }) => `GOCSPX-${draw(WORD, 28)}`,
  azure_client_secret: ({ draw }) => `${draw(ALNUM, 3)}8Q~${draw(`${ALNUM}_~.-`, 34)}`,
  digitalocean: ({ draw }) => `dop_v1_${draw(HEX, 64)}`,
  github_classic: ({ draw }) => `ghp_${draw(ALNUM, 36)}`,
  github_server: ({ draw }) => `ghs_${draw(ALNUM, 36)}`,
  github_fine_grained: ({ draw }) => `github_pat_${draw(ALNUM, 22)}_${draw(ALNUM, 59)}`,
  gitlab: ({ draw }) => `glpat-${draw(WORD, 20)}`,
  gitlab_routable: ({ draw }) => `glpat-${draw(WORD, 27)}.${draw(LOWER_ALNUM, 9)}`,
  gitlab_runner: ({ draw }) => `GR1348941${draw(WORD, 20)}`,
  bitbucket: ({ draw }) => `ATBB${draw(ALNUM, 32)}`,
  atlassian: ({ draw }) => `ATATT3${draw(`${WORD}=`, 186)}`,
  npm: ({ draw }) => `npm_${draw(ALNUM, 36)}`,
  pypi: ({ draw }) => `pypi-AgEIcHlwaS5vcmc${draw(WORD, 70)}`,
  rubygems: ({ draw }) => `rubygems_${draw(HEX, 48)}`,
  docker: ({ draw }) => `dckr_pat_${draw(WORD, 27)}`,
  slack_bot: ({ draw }) => `xoxb-${draw(DIGIT, 12)}-${draw(DIGIT, 12)}-${draw(ALNUM, 24)}`,
  slack_user: ({ draw }) => `xoxp-${draw(DIGIT, 12)}-${draw(DIGIT, 12)}-${draw(DIGIT, 12)}-${draw(HEX, 32)}`,
  slack_app: ({ draw }) => `xapp-1-A${draw(CAPITAL + DIGIT, 10)}-${draw(DIGIT, 13)}-${draw(HEX, 64)}`,
  slack_webhook: ({ draw }) =>
    `https://hooks.slack.com/services/T${draw(CAPITAL + DIGIT, 8)}/B${draw(CAPITAL + DIGIT, 10)}/${draw(ALNUM, 24)}`,
  discord_bot: ({ draw }) => `M${draw(ALNUM, 23)}.${draw(WORD, 6)}.${draw(WORD, 27)}`,
  discord_webhook: ({ draw }) => `https://discord.com/api/webhooks/${draw(DIGIT, 18)}/${draw(WORD, 68)}`,
  telegram: ({ draw }) => `${draw('123456789', 9)}:AA${draw(WORD, 33)}`,
  twilio: ({ draw }) => `SK${draw(HEX, 32)}`,
  sendgrid: ({ draw }) => `SG.${draw(WORD, 22)}.${draw(WORD, 43)}`,
  mailgun: ({ draw }) => `key-${draw(HEX, 32)}`,
  mailchimp: ({ draw }) => `${draw(HEX, 32)}-us${draw(DIGIT, 2)}`,
  stripe_live: ({ draw }) => `sk_live_${draw(ALNUM, 24)}`,
  stripe_restricted: ({ draw }) => `rk_test_${draw(ALNUM, 24)}`,
  square: ({ draw }) => `sq0atp-${draw(WORD, 22)}`,
  shopify: ({ draw }) => `shpat_${draw(HEX, 32)}`,
  paypal: ({ draw }) => `access_token$production$${draw(LOWER_ALNUM, 16)}$${draw(HEX, 32)}`,
  openai_project: ({ draw }) => `sk-proj-${draw(WORD, 74)}T3BlbkFJ${draw(WORD, 74)}`,
  openai_legacy: ({ draw }) => `sk-${draw(ALNUM, 20)}T3BlbkFJ${draw(ALNUM, 20)}`,
  anthropic: ({ draw }) => `sk-ant-api03-${draw(WORD, 93)}AA`,
  huggingface: ({ draw }) => `hf_${draw(SMALL + CAPITAL, 34)}`,
  groq: ({ draw }) => `gsk_${draw(ALNUM, 52)}`,
  databricks: ({ draw }) => `dapi${draw(HEX, 32)}`,
  vault: ({ draw }) => `hvs.${draw(WORD, 95)}`,
  doppler: ({ draw }) => `dp.pt.${draw(ALNUM, 43)}`,
  grafana: ({ draw }) => `glsa_${draw(ALNUM, 32)}_${draw(HEX, 8)}`,
  newrelic: ({ draw }) => `NRAK-${draw(CAPITAL + DIGIT, 27)}`,
  sentry: ({ draw }) => `sntryu_${draw(HEX, 64)}`,
  postman: ({ draw }) => `PMAK-${draw(HEX, 24)}-${draw(HEX, 34)}`,
  linear: ({ draw }) => `lin_api_${draw(ALNUM, 40)}`,
  notion: ({ draw }) => `ntn_${draw(DIGIT, 11)}${draw(ALNUM, 35)}`,
  airtable: ({ draw }) => `pat${draw(ALNUM, 14)}.${draw(HEX, 64)}`,
  planetscale: ({ draw }) => `pscale_tkn_${draw(WORD, 43)}`,
  pulumi: ({ draw }) => `pul-${draw(HEX, 40)}`,
  terraform: ({ draw }) => `${draw(ALNUM, 14)}.atlasv1.${draw(`${WORD}=`, 67)}`,
  age: ({ draw }) => `AGE-SECRET-KEY-1${draw('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  dynatrace: ({ draw }) => `dt0c01.${draw(CAPITAL + DIGIT, 24)}.${draw(CAPITAL + DIGIT, 64)}`,
  easypost: ({ draw }) => `EZAK${draw(ALNUM, 54)}`,
  jwt: (dice) =>
    `${base64url(dice, { alg: 'HS256', typ: 'JWT' })}.${base64url(dice, { sub: '1234567890' })}.${dice.draw(WORD, 43)}`,
}

/** Values that only the name beside them gives away, as the services draw them. */
export const valueFormats = {
  hex_32: ({ draw }) => draw(HEX, 32),
  hex_40: ({ draw }) => draw(HEX, 40),
  hex_64: ({ draw }) => draw(HEX, 64),
  lower_15: ({ draw }) => draw(LOWER_ALNUM, 15),
  lower_20: ({ draw }) => draw(LOWER_ALNUM, 20),
  lower_32: ({ draw }) => draw(LOWER_ALNUM, 32),
  mixed_12: ({ draw }) => draw(ALNUM, 12),
  mixed_24: ({ draw }) => draw(ALNUM, 24),
  mixed_40: ({ draw }) => draw(ALNUM, 40),
  words_40: ({ draw }) => draw(`${LOWER_ALNUM}_-`, 40),
  uuid,
  base64_40: (dice) => base64(dice, 30),
  aws_secret_key: ({ draw }) => draw(`${ALNUM}+/`, 40),
}

/** How files and languages write an assignment: {n} is a name, {N} the same in capitals, {s} the secret. */
export const writings = {
  env: '{N}_API_KEY={s}',
  env_quoted: '{N}_SECRET="{s}"',
  shell_export: "export {N}_TOKEN='{s}'",
  json: '{\n  "{n}_token": "{s}"\n}',
  json_in_text: '"{\\"{n}_secret\\": \\"{s}\\"}"',
  yaml: '{n}_token: {s}',
  yaml_quoted: "  {n}_api_key: '{s}'",
  yaml_block: '{n}_token: |\n  {s}\n',
  toml: '{n}-api-key = "{s}"',
  ini: '{n}Token = {s}',
  properties: 'spring.{n}.password={s}',
  xml_element: '<{n}Token>{s}</{n}Token>',
  xml_attribute: '<add key="{n}Password" value="{s}" />',
  terraform: '{n}_secret_key = "{s}"',
  dockerfile: 'ENV {N}_TOKEN={s}',
  compose: '      - {N}_PASSWORD={s}',
  kubernetes: '{"name": "{N}_PASSWORD", "value": "{s}"}',
  makefile: '{N}_TOKEN := "{s}"',
  python: "{n}_token = '{s}'",
  javascript: 'const {n}Token = "{s}";',
  typescript: 'const {n}Token: string = "{s}"',
  java: 'private static final String {N}_SECRET = "{s}";',
  csharp: 'string {n}Token = "{s}";',
  go: '{n}Token := "{s}"',
  go_backticks: '{n}Token := `{s}`',
  ruby: ':{n}_token => "{s}"',
  php_list: "$config['{n}_password'] = '{s}';",
  php_define: "define('{N}_PASSWORD', '{s}');",
  elixir: 'config :app, {n}_token: "{s}"',
  rust: 'let {n}_token: &str = "{s}";',
  flag: 'tool --{n}-token {s} --verbose',
  flag_with_sign: 'tool --{n}-token={s}',
  header: "curl -H 'X-{n}-Api-Key: {s}' https://api.service.test",
  bearer: 'Authorization: Bearer {s}',
  curl_user: 'curl -u {n}:{s} https://api.service.test',
  query: 'https://api.service.test/v1?{n}_token={s}',
  connection_string: 'Server=db;User Id=app;Password={s};Port=5432',
  npmrc: '//registry.service.test/:_authToken={s}',
}

const services = [
  'algolia',
  'bitbucket',
  'cloudflare',
  'datadog',
  'heroku',
  'mailgun',
  'okta',
  'payments',
  'stage',
  'twitter',
]

/** Every token in a few sentences, every value in every writing. */
export function publishedFormats(seed) {
  const dice = createDice(seed)
  const fixtures = []
  for (const [name, make] of Object.entries(tokenFormats))
    for (const frame of ['{s}', 'token: "{s}"', 'see {s}, please', 'x=[{s}]', '{"a":"{s}"}'])
      fixtures.push(place(name, frame, make(dice)))
  for (const [name, make] of Object.entries(valueFormats))
    for (const [writing, frame] of Object.entries(writings)) {
      const secret = make(dice)
      // Such a value would be encoded there.
      if (writing === 'query' && /[+/=]/.test(secret)) continue
      const service = services[Math.floor(dice.next() * services.length)]
      const named = frame.replaceAll('{n}', service).replaceAll('{N}', service.toUpperCase())
      fixtures.push(place(`${name} as ${writing}`, named, secret))
    }
  return [...fixtures, ...addressFixtures(dice), ...keyFixtures(dice)]
}

function addressFixtures(dice) {
  const schemes = [
    'https',
    'ftp',
    'postgres',
    'postgresql',
    'mysql',
    'mongodb',
    'mongodb+srv',
    'redis',
    'rediss',
    'amqp',
    'smtp',
  ]
  return schemes.flatMap((scheme) => [
    place(`${scheme} address`, `${scheme}://app:{s}@db.service.test:5432/main`, dice.draw(ALNUM, 16)),
    place(
      `${scheme} address in quotes`,
      `url = "${scheme}://app:{s}@db.service.test/main?x=1"`,
      dice.draw(LOWER_ALNUM, 10),
    ),
  ])
}

function keyFixtures(dice) {
  const lines = (count) => Array.from({ length: count }, () => dice.draw(`${ALNUM}+/`, 64)).join('\n')
  return [
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'DSA PRIVATE KEY',
    'PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ].flatMap((kind) => {
    const whole = `-----BEGIN ${kind}-----\n${lines(12)}\n-----END ${kind}-----`
    return [
      place(kind, 'key:\n{s}\n', whole),
      place(`${kind} in JSON`, '{"private_key": "{s}"}', JSON.stringify(whole).slice(1, -1)),
      place(`${kind}, cut off`, '{s}', whole.slice(0, whole.indexOf('\n-----END'))),
    ]
  })
}

function place(name, frame, secret) {
  const before = `The first line.\n${frame.slice(0, frame.indexOf('{s}'))}`
  return {
    name,
    text: `${before}${secret}${frame.slice(frame.indexOf('{s}') + 3)}\nThe last line.`,
    start: before.length,
    end: before.length + secret.length,
  }
}

const ANY = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join('')
const CLASSES = { d: DIGIT, w: `${ALNUM}_`, s: ' ', b: '', n: '\n' }
/** How often what may come any number of times does. */
const MOST_REPEATS = 24
const FEWEST_REPEATS = 8

/**
 * A text that a pattern matches, every character of a class as likely as any other: so are tokens drawn. Knows what patterns
 * of secrets use; what they only look at, before and after, is left out.
 */
export function drawMatch(source, dice) {
  let at = 0
  const number = (low, high) => low + Math.floor(dice.next() * (high - low + 1))

  function alternatives() {
    const options = [sequence()]
    while (source[at] === '|') {
      at++
      options.push(sequence())
    }
    return () => options[number(0, options.length - 1)]()
  }

  function sequence() {
    const parts = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(quantified(atom()))
    return () => parts.map((part) => part()).join('')
  }

  function atom() {
    const char = source[at++]
    if (char === '(') return group()
    if (char === '[') return draws(characters())
    if (char === '.') return draws(ANY)
    if (char === '^' || char === '$') return () => ''
    if (char !== '\\') return () => char
    const escaped = source[at++]
    return draws(CLASSES[escaped] ?? escaped)
  }

  function group() {
    const isLook = /^\?<?[!=]/.test(source.slice(at))
    const opening = /^\?(?::|<?[!=]|<\w+>)/.exec(source.slice(at))
    at += opening?.[0].length ?? 0
    const inner = alternatives()
    at++
    return isLook ? () => '' : inner
  }

  function characters() {
    const isNegated = source[at] === '^'
    if (isNegated) at++
    let found = ''
    while (source[at] !== ']') {
      let char = source[at++]
      if (char === '\\') char = CLASSES[source[at]] ?? source[at]
      if (source[at - 1] === '\\') at++
      if (source[at] !== '-' || source[at + 1] === ']' || char.length !== 1) {
        found += char
        continue
      }
      for (let code = char.charCodeAt(0); code <= source.charCodeAt(at + 1); code++)
        found += String.fromCharCode(code)
      at += 2
    }
    at++
    // Almost anything may stand there; people write letters and digits.
    return isNegated ? [...ALNUM].filter((each) => !found.includes(each)).join('') : found
  }

  const draws = (letters) => () => (letters === '' ? '' : letters[number(0, letters.length - 1)])

  function quantified(part) {
    const found = /^(?:\{(\d+)(,?)(\d*)\}|[?*+])\??/.exec(source.slice(at))
    if (found === null) return part
    at += found[0].length
    const [low, high] = rangeOf(found)
    return () => Array.from({ length: number(low, high) }, part).join('')
  }

  function rangeOf([sign, low, comma, high]) {
    if (low !== undefined)
      return comma === ''
        ? [Number(low), Number(low)]
        : [Number(low), high === '' ? Number(low) + MOST_REPEATS : Number(high)]
    if (sign.startsWith('?')) return [0, 1]
    return [sign.startsWith('+') ? FEWEST_REPEATS : 0, MOST_REPEATS]
  }

  return alternatives()()
}

/** The patterns that secretlint looks for: its rules are given a text that writes down what it is asked. */
export async function secretlintPatterns() {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend')
  const found = []
  for (const rule of rules) {
    // No secrets, but remarks that switch rules off.
    if (rule.meta.id.endsWith('filter-comments')) continue
    const content = {
      matchAll: (pattern) => (found.push({ rule: rule.meta.id, pattern }), []),
      match: () => null,
      length: 0,
    }
    const context = { createTranslator: () => () => '', report() {}, ignore() {}, sharedOptions: {} }
    try {
      await rule
        .create(context, { allows: [] })
        .file?.({ content, filePath: 'a.txt', ext: '.txt', contentType: 'text' })
    } catch {
      // A rule that reads the text in another way: its secrets are among the published formats.
    }
  }
  return found
}

/** Texts that these patterns match. */
export async function secretlintFixtures(seed, perPattern = 20) {
  const dice = createDice(seed)
  return (await secretlintPatterns()).flatMap(({ rule, pattern }) => {
    // A key has lines, no backslashes and spaces anywhere; and of an address only what holds a password is of interest.
    const source = pattern.source.replace('=\\s\\\\]', '=]').replaceAll(')@)?', ')@)')
    return Array.from({ length: perPattern }, () => secretIn(rule, drawMatch(source, dice)))
  })
}

/** Where in a match the secret itself stands: in an address it is the password, in an assignment the value. */
function secretIn(rule, sample) {
  const text = `The first line.\n${sample}\nThe last line.`
  const offset = 16
  const address = /^[a-z:+]+:\/\/([^:]*):([^@]*)@/i.exec(sample)
  const assignment = /(?:=>|[:=])\s*["']?([A-Za-z0-9/+=]{40})["']?$/.exec(sample)
  if (/basicauth|database/.test(rule)) {
    const end = offset + address[0].length - 1
    return { name: rule, text, start: end - address[2].length, end }
  }
  if (assignment !== null && /aws/.test(rule)) {
    const start = offset + sample.lastIndexOf(assignment[1])
    return { name: rule, text, start, end: start + 40 }
  }
  return { name: rule, text, start: offset, end: offset + sample.length }
}

/** How many of the secrets are covered from their first to their last character; and those that are not. */
export function measureRecall(fixtures, findSecrets) {
  const missed = fixtures.filter(
    ({ text, start, end }) =>
      !(findSecrets(text) ?? []).some((found) => found.start <= start && found.end >= end),
  )
  return { covered: fixtures.length - missed.length, total: fixtures.length, missed }
}
