import fc from 'fast-check'

/** Tools with sensitive fields. */
export const secretive = ['secret', 'secret_write', 'checked']
/** Inputs that carry the canary in such a field. */
const carrying = ['valid', 'valid text', 'invalid', 'extra', 'list', 'malformed', 'cut off']

/** Whether the plan holds a secret that the runtime can know. */
export function hasSecret({ name, input }) {
  return secretive.includes(name) && carrying.includes(input)
}

/** Prefix of every canary, so that one search finds any of them. */
export const CANARY = 'canary7f3a'

const outputs = [
  'text',
  'undefined',
  'null',
  'empty',
  'number',
  'object',
  'array',
  'cycle',
  'bigint',
  'symbol',
  'function',
  'class instance',
  'throwing getter',
  'throwing toJSON',
  'proxy',
  'date',
  'map',
  'large',
  'proto key',
  'deep',
  'secret',
  'secret key',
  'rich',
  'rich cycle',
  'partial failure',
  'async iterable',
]

const failures = [
  'error',
  'string',
  'empty string',
  'undefined',
  'null',
  'frozen',
  'throwing getters',
  'symbol',
  'number',
  'secret message',
  'secret code',
  'secret name',
  'failure rate_limited',
  'failure setup_required',
  'failure timeout',
  'failure secret code',
  'nested cause',
]

const steps = [
  'progress text',
  'progress object',
  'progress junk',
  'progress secret',
  'flood',
  'partial',
  'partial secret',
  'partial junk',
  'ask',
  'ask twice',
  'ask without waiting',
  'ask secret',
  'pause',
]

const hookAnswers = [
  'nothing',
  'allow',
  'ask',
  'deny',
  'passthrough',
  'message',
  'secret message',
  'progress',
  'context',
  'stop',
  'secret stop',
  'rewrite',
  'rewrite same',
  'rewrite invalid',
  'rewrite cycle',
  'rewrite secret',
  'throw',
  'throw secret',
  'junk',
  'junk fields',
  'cycle fields',
  'slow',
  'hang',
  'output',
  'output cycle',
]

const verdicts = [
  'allow',
  'allow',
  'allow',
  'allow',
  'ask',
  'ask default',
  'deny',
  'passthrough',
  'throw',
  'throw secret',
  'junk',
  'junk fields',
  'cycle fields',
  'secret reason',
  'async allow',
  'async ask',
  'slow allow',
  'rewrite',
  'rewrite always',
  'reject',
]

const approvals = [
  'approve',
  'approve',
  'edit',
  'edit secret',
  'edit invalid',
  'edit cycle',
  'reject',
  'reject secret',
  'throw',
  'junk',
  'hang',
]

const names = [
  'free',
  'free',
  'free',
  'secret',
  'secret_write',
  'write',
  'typed',
  'zodded',
  'mapped',
  'free',
  'write',
  'write',
  'typed',
  'typed_write',
  'zodded',
  'secret',
  'secret_write',
  'text',
  'checked',
  'preflighted',
  'outputted',
  'mapped',
  'stubborn',
  'deferred',
  'disabled',
  'setup',
  'dup',
  'nowhere',
  '__proto__',
  '',
]

const inputs = [
  'valid',
  'valid',
  'valid',
  'valid',
  'valid text',
  'invalid',
  'extra',
  'proto',
  'null',
  'list',
  'malformed',
  'cut off',
  'cycle',
  'bigint',
  'function',
  'nan',
  'date',
  'throwing getter',
  'deep',
]

const cancels = [
  'no',
  'no',
  'no',
  'no',
  'no',
  'now',
  'soon',
  'later',
  'aborted signal',
  'signal soon',
  'twice',
]

/** The neutral value of each part of a plan; a counterexample is reduced by going back to these. */
export const simplest = {
  name: 'free',
  isHooked: false,
  input: 'valid',
  shape: 'sync',
  steps: [],
  end: 'return',
  output: 'text',
  failure: 'error',
  pre: 'nothing',
  pre2: 'nothing',
  post: 'nothing',
  verdict: 'allow',
  approval: 'approve',
  check: 'nothing',
  responder: 'accept',
  cancel: 'no',
  isStreamed: false,
  native: 'text',
}

/** One call and everything that will happen to it, as plain data. */
export function planArbitrary(avoid = []) {
  const avoided = new Set(avoid)
  const oneOf = (field, list) => {
    const allowed = list.filter((each) => !avoided.has(each) && !avoided.has(`${field}:${each}`))
    const any = fc.constantFrom(...allowed)
    // Mostly neutral values: where everything is odd, the first odd thing hides the others.
    return field in simplest && allowed.includes(simplest[field])
      ? fc.oneof({ weight: 3, arbitrary: fc.constant(simplest[field]) }, { weight: 2, arbitrary: any })
      : any
  }
  return fc.record({
    name: fc.constantFrom(...names.filter((each) => !avoided.has(`name:${each}`))),
    isHooked: fc.boolean(),
    input: oneOf('input', inputs),
    shape: fc.constantFrom(
      ...['sync', 'async', 'generator', 'thenable', 'bad thenable'].filter((each) => !avoided.has(each)),
    ),
    steps: fc.array(oneOf('step', steps), { maxLength: 3 }),
    end: oneOf('end', ['return', 'return', 'return', 'throw', 'hang', 'hang until aborted', 'late']),
    output: oneOf('output', outputs),
    failure: oneOf('failure', failures),
    pre: oneOf('pre', hookAnswers),
    pre2: oneOf('pre2', ['nothing', 'nothing', ...hookAnswers]),
    post: oneOf('post', hookAnswers),
    verdict: oneOf('verdict', verdicts),
    approval: oneOf('approval', approvals),
    check: oneOf('check', [
      'nothing',
      'nothing',
      'text',
      'issues',
      'refusal',
      'throw',
      'throw secret',
      'slow',
      'junk',
    ]),
    responder: oneOf('responder', ['accept', 'decline', 'throw', 'junk', 'slow']),
    cancel: oneOf('cancel', cancels),
    isStreamed: fc.boolean(),
    native: oneOf('native', ['text', 'text', 'none', 'number']),
  })
}

/** The plan with as much as possible reset, as long as `stillFails` says that it shows the same. */
export async function shrinkPlan(plan, stillFails) {
  let smallest = plan
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const [field, simple] of Object.entries(simplest)) {
      const candidates = field === 'steps' ? withoutEach(smallest.steps) : [simple]
      for (const value of candidates) {
        if (JSON.stringify(smallest[field]) === JSON.stringify(value)) continue
        const smaller = { ...smallest, [field]: value }
        if (!(await stillFails(smaller))) continue
        smallest = smaller
        isChanged = true
        break
      }
    }
  }
  return Object.fromEntries(
    Object.entries(smallest).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(simplest[field]),
    ),
  )
}

function withoutEach(list) {
  return [[], ...list.map((_, index) => list.toSpliced(index, 1))]
}
