import { stemWord } from './stem-word.js'

/** Words that request the same thing from a tool. */
const sameMeaning = [
  'send post notify message deliver dispatch transmit publish',
  'send email mail',
  'delete remove erase drop destroy clear purge discard trash unlink',
  'create add new insert generate build make',
  'write compose draft',
  'register signup enroll subscribe',
  'fetch retrieve obtain read load download pull view',
  'list enumerate browse',
  'search find lookup query locate discover grep',
  'update edit modify change alter adjust patch revise amend',
  'rename move relocate',
  'replace substitute swap',
  'set assign configure',
  'start run launch execute trigger begin invoke',
  'stop halt cancel abort terminate kill',
  'pause suspend',
  'copy duplicate clone replicate',
  'transfer migrate',
  'convert transform exchange',
  'translate translation language',
  'calculate compute determine estimate solve',
  'schedule arrange plan',
  'book reserve reservation booking',
  'appointment meeting event calendar',
  'reminder remind alarm',
  'buy purchase shop shopping checkout',
  'pay payment charge',
  'bill invoice',
  'refund return reimburse',
  'upload import push',
  'export download',
  'save store keep persist',
  'archive backup',
  'check verify validate inspect test',
  'compare contrast diff difference',
  'merge combine join concatenate',
  'split divide separate',
  'analyze assess evaluate examine study',
  'review feedback rating',
  'summarize summary condense digest recap shorten',
  'recommend suggest advise recommendation suggestion',
  'monitor watch track observe follow',
  'track tracking shipment delivery parcel package shipping',
  'sort order rank',
  'count number total quantity',
  'open visit',
  'close shut',
  'comment reply respond answer',
  'approve accept confirm',
  'reject decline deny',
  'grant allow permit authorize',
  'login signin authenticate authentication',
  'password credential secret',
  'picture image photo photograph thumbnail',
  'draw paint illustrate drawing',
  'resize scale crop',
  'movie film cinema',
  'car vehicle automobile',
  'folder directory',
  'file document',
  'email mail inbox',
  'chat conversation talk',
  'job career employment vacancy hiring',
  'resume cv',
  'house home property estate apartment',
  'rent lease rental',
  'flight airline airfare airplane plane',
  'trip travel vacation holiday itinerary tour journey',
  'hotel accommodation lodging',
  'restaurant dining eatery',
  'food meal dish',
  'recipe cook cooking',
  'music song audio tune',
  'video clip footage',
  'stock equity ticker share',
  'money currency cash',
  'price cost fee',
  'discount coupon deal promo voucher',
  'company business organization enterprise firm corporation',
  'customer client',
  'user person member',
  'doctor physician medical',
  'illness disease sickness symptom',
  'medicine drug medication',
  'law legal attorney lawyer',
  'weather forecast temperature climate rain snow',
  'pollution smog',
  'location place address position',
  'map route direction navigation',
  'website webpage site page web',
  'link url',
  'issue bug ticket defect',
  'task todo',
  'team group',
  'error failure exception',
  'text string',
  'gift present',
  'kid child children',
  'workout exercise fitness',
  'quiz exam',
  'learn education course tutorial lesson',
  'paper article publication',
  'news headline',
  'ad advertisement advertising',
  'game play gaming',
  'joke humor funny',
  'database sql',
  'repository repo',
  'commit revision',
  'deploy release rollout',
  'log logs',
  'chart graph plot diagram visualize',
  'speech voice spoken',
  'transcribe transcript transcription',
  'plane aircraft',
  'city town',
  'country nation',
  'salary wage pay income',
  'tax taxes',
  'sum total add',
] as const

/** Abbreviations and their long forms; the reverse is not useful. */
const shortForms: Readonly<Record<string, string>> = {
  repo: 'repository', repos: 'repository', db: 'database', config: 'configuration', cfg: 'configuration', auth: 'authentication', msg: 'message',
  img: 'image', doc: 'document', docs: 'document documentation', info: 'information', env: 'environment', dir: 'directory',
  calc: 'calculate', min: 'minimum', max: 'maximum', avg: 'average', num: 'number', qty: 'quantity', addr: 'address',
  app: 'application', apps: 'application', admin: 'administrator', tz: 'timezone', lang: 'language', pwd: 'password', req: 'request',
  pr: 'pull request', prs: 'pull request', mr: 'merge request', k8s: 'kubernetes', gh: 'github', js: 'javascript', ts: 'typescript',
  py: 'python', vm: 'virtual machine', sms: 'text message', btc: 'bitcoin', eth: 'ethereum', usd: 'dollar', temp: 'temperature',
  dm: 'direct message', cal: 'calendar', appt: 'appointment', stats: 'statistics', stat: 'statistics', spec: 'specification', specs: 'specification', ref: 'reference',
  param: 'parameter', params: 'parameter', attr: 'attribute', char: 'character', desc: 'description', dev: 'development', prod: 'production', dst: 'destination',
  src: 'source', err: 'error', exec: 'execute', ext: 'extension', func: 'function', gen: 'generate', init: 'initialize',
  lib: 'library', loc: 'location', mgr: 'manager', mgmt: 'management', org: 'organization', orgs: 'organization', perf: 'performance', pkg: 'package', perm: 'permission', perms: 'permission',
  pic: 'picture', pics: 'picture', pos: 'position', prev: 'previous', proc: 'process', prop: 'property', pub: 'publish', rec: 'record',
  sec: 'second', seq: 'sequence', sync: 'synchronize', sys: 'system', tmp: 'temporary', upd: 'update', usr: 'user', util: 'utility',
  val: 'value', var: 'variable', ver: 'version', vid: 'video', vol: 'volume', del: 'delete', rm: 'remove', ls: 'list',
  mkdir: 'create directory', cp: 'copy', mv: 'move', ssh: 'shell', cmd: 'command', ai: 'artificial intelligence', ml: 'machine learning',
  bbox: 'bounding box', lat: 'latitude', lng: 'longitude', lon: 'longitude', geo: 'geographic', iam: 'access', cron: 'schedule',
  acct: 'account', txn: 'transaction', tx: 'transaction', inv: 'invoice', cust: 'customer', dept: 'department', univ: 'university',
  hr: 'human resources', crm: 'customer', faq: 'questions', eta: 'arrival', gdp: 'economy', tv: 'television', ocr: 'text recognition',
} // prettier-ignore

let related: Map<string, readonly string[]> | undefined

/** Synonyms of a stem, as stems. For the words of a query. */
export function relatedWords(stem: string): readonly string[] {
  related ??= relate()
  return related.get(stem) ?? NONE
}

const NONE: readonly string[] = []

function relate(): Map<string, readonly string[]> {
  const gathered = new Map<string, Set<string>>()
  const add = (from: string, to: string): void => {
    if (from === to) return
    const known = gathered.get(from)
    if (known) known.add(to)
    else gathered.set(from, new Set([to]))
  }
  for (const line of sameMeaning) {
    const stems = line.split(' ').map(stemWord)
    for (const from of stems) for (const to of stems) add(from, to)
  }
  for (const [short, long] of Object.entries(shortForms)) {
    const from = stemWord(short)
    for (const word of long.split(' ')) {
      const to = stemWord(word)
      add(from, to)
      // A long form of one word is a synonym; one of several words only means the same as a whole.
      if (!long.includes(' ')) add(to, from)
    }
  }
  return new Map([...gathered].map(([from, to]) => [from, [...to]]))
}
