import type { InvocationStatus } from '../../../contract/unions.js'
import type { Styles } from './styles.js'

type Look = readonly [mark: string, style: keyof Styles]

const OPEN: Look = ['…', 'warn']

const LOOKS: Partial<Record<InvocationStatus, Look>> = {
  succeeded: ['✓', 'good'],
  failed: ['✗', 'bad'],
  timed_out: ['✗', 'bad'],
  schema_parse_failed: ['✗', 'bad'],
  validation_failed: ['✗', 'bad'],
  denied: ['⊘', 'bad'],
  blocked: ['⊘', 'bad'],
  canceled: ['■', 'warn'],
  awaiting_approval: ['?', 'warn'],
  needs_input: ['?', 'warn'],
}

export function statusMark(status: InvocationStatus): string {
  return (LOOKS[status] ?? OPEN)[0]
}

export function paintStatus(status: InvocationStatus, text: string, style: Styles): string {
  return style[(LOOKS[status] ?? OPEN)[1]](text)
}
