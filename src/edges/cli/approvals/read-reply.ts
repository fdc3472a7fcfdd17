import type { ApprovalScope } from '../../../contract/unions.js'

/** What a person typed when asked whether a call may run. */
export type Reply =
  /** `update` counts from 1; absent: the one that suits the scope. */
  | { kind: 'yes'; scope: ApprovalScope; update: number | undefined }
  | { kind: 'no'; feedback: string }
  | { kind: 'edit' }
  | { kind: 'help' }
  | { kind: 'unclear'; say: string }

const SCOPES: Record<string, ApprovalScope> = {
  s: 'session',
  session: 'session',
  a: 'always',
  always: 'always',
}

/** `y`, `n why`, `e`, `s`, `a 2`, `?`. Any other text is a no: only a clear yes runs anything. */
export function readReply(
  line: string,
  updates: number,
  { hasSession = false }: { hasSession?: boolean } = {},
): Reply {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(line) ?? []
  const key = word.toLowerCase()
  if (/^y(es)?$/.test(key) && rest === '') return { kind: 'yes', scope: 'once', update: undefined }
  if (/^e(dit)?$/.test(key) && rest === '') return { kind: 'edit' }
  if (/^no?$/.test(key)) return { kind: 'no', feedback: rest }
  if (key === '?' && rest === '') return { kind: 'help' }
  const scope = SCOPES[key]
  if (!scope || (rest !== '' && !/^\d+$/.test(rest))) return { kind: 'no', feedback: '' }
  if (scope === 'session' && !hasSession)
    return {
      kind: 'unclear',
      say: 'There is no session that continues; type y for this once, or a for always.',
    }
  if (updates === 0) return { kind: 'unclear', say: 'No change of rules is offered; say y for this once.' }
  const update = rest === '' ? undefined : Number(rest)
  if (update === undefined || (update >= 1 && update <= updates)) return { kind: 'yes', scope, update }
  return { kind: 'unclear', say: `There are ${updates} changes of rules, numbered from 1.` }
}
