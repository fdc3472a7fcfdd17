import type { ToolcribApproval } from '../../../contract/objects/toolcrib-approval.js'
import type { ApprovalScope } from '../../../contract/unions.js'
import { oneLine } from '../../../platform/text/printable.js'
import { describeApproval, whatHolds, whoAsked } from './describe-approval.js'
import { cutText, wrapText } from '../terminal/fit-text.js'
import type { Terminal } from '../terminal/terminal.js'

export type PanelChoice =
  | { readonly kind: 'approve'; readonly approval: ToolcribApproval; readonly scope: ApprovalScope }
  | { readonly kind: 'reject'; readonly approval: ToolcribApproval }
  /** The person wants to see the whole question. */
  | { readonly kind: 'whole'; readonly approval: ToolcribApproval }
  | { readonly kind: 'leave' }

/** Pending questions at the bottom of a terminal. The selected one is shown with the facts for a decision. */
export interface QuestionPanel {
  /** Sets the pending approvals, oldest first. */
  show(waiting: readonly ToolcribApproval[]): void
  readonly size: number
  /** The lines to draw, as many as the terminal has rows for. */
  lines(): string[]
  /** The choice that a key makes, if any. */
  take(key: string): PanelChoice | undefined
}

export interface PanelOptions {
  readonly terminal: Pick<Terminal, 'room' | 'sayStyle'>
  /** Whether a key leaves the panel. */
  readonly mayLeave: boolean
  readonly now?: () => number
}

/** A key that was meant for the previous question must not answer the one that replaced it. */
const SETTLE_MS = 400
const MAX_LISTED = 5
/** The most lines of a row other than the input. */
const MAX_ROW_LINES = 3
const LABEL = 9

export function createQuestionPanel({ terminal, mayLeave, now = Date.now }: PanelOptions): QuestionPanel {
  let waiting: readonly ToolcribApproval[] = []
  let chosen: string | undefined
  let chosenAt = 0
  let note = ''
  /** Questions that were shown in full. */
  const seen = new Set<string>()

  const at = (): number => waiting.findIndex(({ approval_id: id }) => id === chosen)
  const current = (): ToolcribApproval | undefined => waiting[at()]
  const isSettled = (): boolean => now() - chosenAt >= SETTLE_MS
  const bodyOf = (approval: ToolcribApproval): Body =>
    fitBody(approval, { terminal, listed: waiting.length > 1 ? Math.min(waiting.length, MAX_LISTED) : 0 })

  function choose(approval: ToolcribApproval | undefined): void {
    if (approval?.approval_id === chosen) return
    chosen = approval?.approval_id
    chosenAt = now()
    note = ''
  }

  function approve(approval: ToolcribApproval, scope: ApprovalScope): PanelChoice | undefined {
    if (scope !== 'once' && whatHolds(approval, scope) === undefined)
      note = `This question offers no change of rules for ${scope === 'session' ? 'the session' : 'always'}.`
    else if (bodyOf(approval).isCut && !seen.has(approval.approval_id))
      note = 'Part of it is not shown. Press v to see all of it, then answer.'
    else return { kind: 'approve', approval, scope }
    return undefined
  }

  function listLines(columns: number): string[] {
    if (waiting.length < 2) return []
    const first = Math.max(0, Math.min(at() - 2, waiting.length - MAX_LISTED))
    return waiting.slice(first, first + MAX_LISTED).map((approval) => {
      const isChosen = approval.approval_id === chosen
      const about = `${oneLine(approval.tool_id)}  ${oneLine(whoAsked(approval))}`
      const line = cutText(`${isChosen ? '>' : ' '} ${about}`, columns)
      return isChosen ? terminal.sayStyle.bold(line) : line
    })
  }

  return {
    show(next) {
      const before = Math.max(0, at())
      waiting = next
      if (!current()) choose(waiting[Math.min(before, waiting.length - 1)])
    },
    get size() {
      return waiting.length
    },
    lines() {
      const approval = current()
      if (!approval) return []
      const { columns, rows } = terminal.room()
      const { sayStyle } = terminal
      const { lines, isCut } = bodyOf(approval)
      const count = waiting.length > 1 ? ` (${at() + 1} of ${waiting.length})` : ''
      const keys = keysFor(approval, { isCut, mayMove: waiting.length > 1, mayLeave })
      return [
        ...listLines(columns),
        sayStyle.warn(cutText(`? ${oneLine(approval.tool_id)} ${needOf(approval)}${count}`, columns)),
        ...lines,
        ...(note === '' ? [] : [sayStyle.bad(cutText(`  ${note}`, columns))]),
        // Shown only once the keys are active.
        sayStyle.dim(cutText(isSettled() ? `  ${keys}` : '  ...', columns)),
      ].slice(0, rows)
    },
    take(key) {
      if (isLeaving(key)) return mayLeave ? { kind: 'leave' } : undefined
      const approval = current()
      if (!approval || !isSettled()) return undefined
      note = ''
      switch (key) {
        case 'y':
          return approve(approval, 'once')
        case 's':
          return approve(approval, 'session')
        case 'a':
          return approve(approval, 'always')
        case 'n':
          return { kind: 'reject', approval }
        case 'v':
          seen.add(approval.approval_id)
          return { kind: 'whole', approval }
        default: {
          const next = nextOf(key, { at: at(), count: waiting.length })
          if (next !== undefined) choose(waiting[next])
          return undefined
        }
      }
    },
  }
}

function needOf({ form }: ToolcribApproval): string {
  return form ? 'needs an answer' : 'needs approval'
}

interface Body {
  readonly lines: readonly string[]
  /** Whether some part of the question does not fit. */
  readonly isCut: boolean
}

function fitBody(
  approval: ToolcribApproval,
  { terminal, listed }: { terminal: PanelOptions['terminal']; listed: number },
): Body {
  const { columns, rows } = terminal.room()
  const width = Math.max(20, columns - LABEL - 2)
  const wrapped = describeApproval(approval).map(({ label, text }) => ({
    label,
    all: wrapText(text, width),
  }))
  const used = wrapped
    .filter(({ label }) => label !== 'input')
    .reduce((sum, { all }) => sum + Math.min(all.length, MAX_ROW_LINES), 0)
  // Besides the rows: the title, the keys, a note, and a line of the log above.
  const forInput = Math.max(1, rows - used - listed - 4)
  const mostOf = (label: string): number => (label === 'input' ? forInput : MAX_ROW_LINES)
  const lines = wrapped.flatMap(({ label, all }) =>
    all.slice(0, mostOf(label)).map((line, index) => {
      const isLast = index === mostOf(label) - 1 && index < all.length - 1
      const title = terminal.sayStyle.dim((index === 0 ? label : '').padEnd(LABEL))
      return `  ${title}${isLast ? `${cutText(line, width - 2)} …` : cutText(line, width)}`
    }),
  )
  return { lines, isCut: wrapped.some(({ label, all }) => all.length > mostOf(label)) }
}

function keysFor(
  approval: ToolcribApproval,
  { isCut, mayMove, mayLeave }: { isCut: boolean; mayMove: boolean; mayLeave: boolean },
): string {
  const keys = [
    approval.form ? 'y answer' : 'y once',
    ...(whatHolds(approval, 'session') === undefined ? [] : ['s session']),
    ...(whatHolds(approval, 'always') === undefined ? [] : ['a always']),
    'n deny',
    ...(isCut ? ['v show all'] : []),
    ...(mayMove ? ['up/down choose'] : []),
    ...(mayLeave ? ['q leave'] : []),
  ]
  return keys.join(' | ')
}

const UP = '\u001B[A'
const DOWN = '\u001B[B'
const ESCAPE = '\u001B'

function isLeaving(key: string): boolean {
  return key === 'q' || key === ESCAPE
}

/** The index of the question that a key selects. */
function nextOf(key: string, { at, count }: { at: number; count: number }): number | undefined {
  if (key === DOWN || key === 'j') return (at + 1) % count
  if (key === UP || key === 'k') return (at - 1 + count) % count
  return /^[1-9]$/.test(key) && Number(key) <= count ? Number(key) - 1 : undefined
}
