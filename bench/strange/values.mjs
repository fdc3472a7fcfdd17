/**
 * Kinds of secret values, drawn anew for each text: what people choose, what programs generate, what vendors publish.
 */

const lower = 'abcdefghijklmnopqrstuvwxyz'
const upper = lower.toUpperCase()
const digits = '0123456789'
const hex = '0123456789abcdef'
const alnum = lower + upper + digits
const base64 = `${alnum}+/`
const url64 = `${alnum}-_`
const words =
  'copper harbour violet meadow tunnel rocket saffron winter pebble lantern orchid quartz glacier bamboo falcon ember'.split(
    ' ',
  )

/** Characters drawn from an alphabet. */
export function draw(random, alphabet, length) {
  let text = ''
  for (let at = 0; at < length; at++) text += alphabet[random.below(alphabet.length)]
  return text
}

const capital = (word) => word[0].toUpperCase() + word.slice(1)

/** Each kind with a weight. `weak` ones need a name or a context to be distinguished from ordinary words. */
export const valueKinds = [
  { kind: 'hex32', weight: 3, make: (r) => draw(r, hex, 32) },
  { kind: 'hex40', weight: 2, make: (r) => draw(r, hex, 40) },
  { kind: 'hex64', weight: 2, make: (r) => draw(r, hex, 64) },
  { kind: 'alnum20', weight: 3, make: (r) => draw(r, alnum, 20) },
  { kind: 'alnum40', weight: 3, make: (r) => draw(r, alnum, 40) },
  { kind: 'base64-44', weight: 3, make: (r) => `${draw(r, base64, 43)}=` },
  { kind: 'url64-43', weight: 3, make: (r) => draw(r, url64, 43) },
  {
    kind: 'uuid',
    weight: 2,
    make: (r) => [8, 4, 4, 4, 12].map((length) => draw(r, hex, length)).join('-'),
  },
  {
    kind: 'symbols16',
    weight: 4,
    make: (r) =>
      `${draw(r, alnum, 6)}${r.pick(['!', '#', '$', '%', '^', '*', '/', '+'])}${draw(r, alnum, 5)}${r.pick(['@', '&', '~', '?', '/', '='])}${draw(r, digits, 3)}`,
  },
  {
    kind: 'person12',
    weight: 4,
    weak: true,
    make: (r) =>
      `${capital(r.pick(words))}${r.pick(['', '_', '-', '.'])}${2000 + r.below(40)}${r.pick(['!', '#', '?', '!!', '$'])}`,
  },
  {
    kind: 'leet10',
    weight: 2,
    weak: true,
    make: (r) =>
      `${r.pick(words).replaceAll('o', '0').replaceAll('e', '3').replaceAll('a', '@')}${10 + r.below(90)}`,
  },
  {
    kind: 'passphrase',
    weight: 2,
    weak: true,
    make: (r) => Array.from({ length: 4 }, () => r.pick(words)).join('-'),
  },
]

/** Token forms as their vendors publish them. */
export const vendorForms = {
  'github-classic': (r) => `${r.pick(['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'])}${draw(r, alnum, 36)}`,
  'github-fine': (r) => `github_pat_${draw(r, alnum, 22)}_${draw(r, alnum, 59)}`,
  gitlab: (r) => `${r.pick(['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glft-', 'glsoat-'])}${draw(r, url64, 20)}`,
  'gitlab-agent': (r) => `glagent-${draw(r, url64, 50)}`,
  'gitlab-oauth': (r) => `gloas-${draw(r, hex, 64)}`,
  'gitlab-build': (r) => `glcbt-${draw(r, hex, 2)}_${draw(r, url64, 20)}`,
  slack: (r) =>
    `xox${r.pick(['b', 'p', 'a', 'r'])}-${draw(r, digits, 12)}-${draw(r, digits, 12)}-${draw(r, alnum, 24)}`,
  'slack-app': (r) => `xapp-1-A${draw(r, upper + digits, 10)}-${draw(r, digits, 13)}-${draw(r, hex, 64)}`,
  'slack-hook': (r) =>
    `https://hooks.slack.com/services/T${draw(r, upper + digits, 8)}/B${draw(r, upper + digits, 10)}/${draw(r, alnum, 24)}`,
  stripe: (r) => `${r.pick(['sk_live_', 'rk_live_', 'sk_test_'])}${draw(r, alnum, 24)}`,
  'stripe-hook': (r) => `whsec_${draw(r, alnum, 32)}`,
  openai: (r) => `sk-proj-${draw(r, url64, 58)}T3BlbkFJ${draw(r, url64, 58)}`,
  anthropic: (r) => `sk-ant-api03-${draw(r, url64, 93)}AA`,
  google: (r) => `AIza${draw(r, url64, 35)}`,
  'google-oauth': (r) => `GOCSPX-${draw(r, url64, 28)}`,
  'google-access': (r) => `ya29.a0${draw(r, url64, 120)}`,
  'google-refresh': (r) => `1//0${draw(r, url64, 60)}`,
  aws: (r) => `${r.pick(['AKIA', 'ASIA'])}${draw(r, `${upper}234567`, 16)}`,
  digitalocean: (r) => `${r.pick(['dop_v1_', 'doo_v1_', 'dor_v1_'])}${draw(r, hex, 64)}`,
  doppler: (r) => `dp.${r.pick(['pt', 'ct', 'sa', 'scim', 'audit'])}.${draw(r, alnum, 43)}`,
  databricks: (r) => `dapi${draw(r, hex, 32)}`,
  dynatrace: (r) => `dt0c01.${draw(r, upper + digits, 24)}.${draw(r, upper + digits, 64)}`,
  figma: (r) => `figd_${draw(r, url64, 40)}`,
  fly: (r) => `fo1_${draw(r, url64, 43)}`,
  grafana: (r) => `glsa_${draw(r, alnum, 32)}_${draw(r, hex, 8)}`,
  'grafana-cloud': (r) => `glc_${draw(r, alnum, 60)}`,
  vault: (r) => `hvs.${draw(r, url64, 95)}`,
  terraform: (r) => `${draw(r, alnum, 14)}.atlasv1.${draw(r, url64, 67)}`,
  heroku: (r) => `HRKU-AA${draw(r, url64, 58)}`,
  huggingface: (r) => `hf_${draw(r, lower + upper, 34)}`,
  linear: (r) => `lin_api_${draw(r, alnum, 40)}`,
  mailchimp: (r) => `${draw(r, hex, 32)}-us${1 + r.below(20)}`,
  mailgun: (r) => `key-${draw(r, hex, 32)}`,
  netlify: (r) => `nfp_${draw(r, alnum, 36)}`,
  newrelic: (r) => `NRAK-${draw(r, upper + digits, 27)}`,
  notion: (r) => `ntn_${draw(r, digits, 11)}${draw(r, alnum, 35)}`,
  'notion-old': (r) => `secret_${draw(r, alnum, 43)}`,
  npm: (r) => `npm_${draw(r, alnum, 36)}`,
  planetscale: (r) => `pscale_${r.pick(['tkn', 'pw', 'oauth'])}_${draw(r, url64, 43)}`,
  postman: (r) => `PMAK-${draw(r, hex, 24)}-${draw(r, hex, 34)}`,
  prefect: (r) => `pnu_${draw(r, alnum, 36)}`,
  pulumi: (r) => `pul-${draw(r, hex, 40)}`,
  pypi: (r) => `pypi-AgEIcHlwaS5vcmc${draw(r, url64, 70)}`,
  readme: (r) => `rdme_${draw(r, lower + digits, 70)}`,
  rubygems: (r) => `rubygems_${draw(r, hex, 48)}`,
  sendgrid: (r) => `SG.${draw(r, url64, 22)}.${draw(r, url64, 43)}`,
  brevo: (r) => `xkeysib-${draw(r, hex, 64)}-${draw(r, alnum, 16)}`,
  sentry: (r) => `sntryu_${draw(r, hex, 64)}`,
  shopify: (r) => `${r.pick(['shpat_', 'shpca_', 'shppa_', 'shpss_'])}${draw(r, hex, 32)}`,
  square: (r) => `sq0csp-${draw(r, url64, 43)}`,
  supabase: (r) => `sbp_${draw(r, hex, 40)}`,
  'supabase-secret': (r) => `sb_secret_${draw(r, url64, 22)}_${draw(r, url64, 8)}`,
  tailscale: (r) => `tskey-auth-${draw(r, alnum, 12)}CNTRL-${draw(r, alnum, 32)}`,
  telegram: (r) => `${1 + r.below(9)}${draw(r, digits, 9)}:AA${draw(r, url64, 33)}`,
  twilio: (r) => `SK${draw(r, hex, 32)}`,
  typeform: (r) => `tfp_${draw(r, url64, 59)}`,
  wakatime: (r) => `waka_${[8, 4, 4, 4, 12].map((length) => draw(r, hex, length)).join('-')}`,
  yandex: (r) => `AQVN${draw(r, url64, 36)}`,
  'yandex-oauth': (r) => `y0_${draw(r, url64, 55)}`,
  onepassword: (r) => `ops_eyJ${draw(r, alnum, 280)}`,
  circleci: (r) => `CCIPAT_${draw(r, alnum, 22)}_${draw(r, hex, 40)}`,
  buildkite: (r) => `bkua_${draw(r, hex, 40)}`,
  atlassian: (r) => `ATATT3xFfGF0${draw(r, url64, 170)}=${draw(r, 'ABCDEF0123456789', 8)}`,
  bitbucket: (r) => `ATBB${draw(r, alnum, 32)}`,
  airtable: (r) => `pat${draw(r, alnum, 14)}.${draw(r, hex, 64)}`,
  adafruit: (r) => `aio_${draw(r, alnum, 28)}`,
  alibaba: (r) => `LTAI${draw(r, alnum, 20)}`,
  tencent: (r) => `AKID${draw(r, alnum, 32)}`,
  groq: (r) => `gsk_${draw(r, alnum, 52)}`,
  perplexity: (r) => `pplx-${draw(r, alnum, 48)}`,
  replicate: (r) => `r8_${draw(r, alnum, 37)}`,
  xai: (r) => `xai-${draw(r, alnum, 80)}`,
  openrouter: (r) => `sk-or-v1-${draw(r, hex, 64)}`,
  langsmith: (r) => `lsv2_${r.pick(['pt', 'sk'])}_${draw(r, hex, 32)}_${draw(r, hex, 10)}`,
  langfuse: (r) => `sk-lf-${[8, 4, 4, 4, 12].map((length) => draw(r, hex, length)).join('-')}`,
  pinecone: (r) => `pcsk_${draw(r, alnum, 6)}_${draw(r, alnum, 63)}`,
  nvidia: (r) => `nvapi-${draw(r, url64, 64)}`,
  anyscale: (r) => `esecret_${draw(r, alnum, 26)}`,
  resend: (r) => `re_${draw(r, alnum, 8)}_${draw(r, alnum, 24)}`,
  posthog: (r) => `phx_${draw(r, alnum, 47)}`,
  segment: (r) => `sgp_${draw(r, alnum, 64)}`,
  contentful: (r) => `CFPAT-${draw(r, url64, 43)}`,
  render: (r) => `rnd_${draw(r, alnum, 28)}`,
  sonarqube: (r) => `${r.pick(['squ_', 'sqp_', 'sqa_'])}${draw(r, hex, 40)}`,
  jfrog: (r) => `AKCp${draw(r, alnum, 69)}`,
  'jfrog-reference': (r) => `cmVmdGtu${draw(r, alnum, 56)}`,
  docker: (r) => `${r.pick(['dckr_pat_', 'dckr_oat_'])}${draw(r, url64, 27)}`,
  easypost: (r) => `EZ${r.pick(['A', 'T'])}K${draw(r, alnum, 54)}`,
  frameio: (r) => `fio-u-${draw(r, url64, 64)}`,
  hubspot: (r) => `pat-na1-${[8, 4, 4, 4, 12].map((length) => draw(r, hex, length)).join('-')}`,
  harness: (r) => `pat.${draw(r, alnum, 22)}.${draw(r, hex, 24)}.${draw(r, alnum, 20)}`,
  infracost: (r) => `ico-${draw(r, alnum, 32)}`,
  plaid: (r) => `access-production-${[8, 4, 4, 4, 12].map((length) => draw(r, hex, length)).join('-')}`,
  scalingo: (r) => `tk-us-${draw(r, url64, 48)}`,
  duffel: (r) => `duffel_live_${draw(r, url64, 43)}`,
  flutterwave: (r) => `FLWSECK_TEST-${draw(r, hex, 32)}-X`,
  shippo: (r) => `shippo_live_${draw(r, hex, 40)}`,
  mapbox: (r) => `sk.eyJ${draw(r, alnum, 80)}.${draw(r, url64, 22)}`,
  'azure-storage': (r) => `AccountKey=${draw(r, base64, 86)}==`,
  'azure-client': (r) => `${draw(r, alnum, 3)}8Q~${draw(r, `${url64}~.`, 34)}`,
  discord: (r) => `${r.pick(['M', 'N'])}${draw(r, alnum, 25)}.${draw(r, url64, 6)}.${draw(r, url64, 38)}`,
  'discord-hook': (r) => `https://discord.com/api/webhooks/${draw(r, digits, 18)}/${draw(r, url64, 68)}`,
  age: (r) => `AGE-SECRET-KEY-1${draw(r, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  jwt: (r) => `eyJhbGciOiJIUzI1NiJ9.eyJ${draw(r, alnum, 60)}.${draw(r, url64, 43)}`,
}

const totalWeight = valueKinds.reduce((sum, one) => sum + one.weight, 0)

/** A value of a kind by weight; `fits` says which characters the shape can hold. */
export function drawValue(random, fits) {
  for (;;) {
    let left = random.below(totalWeight)
    const chosen = valueKinds.find((one) => (left -= one.weight) < 0)
    const value = chosen.make(random)
    if (fits === undefined || fits.test(value)) return { kind: chosen.kind, value }
  }
}
