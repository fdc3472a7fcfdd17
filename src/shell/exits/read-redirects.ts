import type { Redirection } from 'unbash'
import { argumentOf } from '../parse/to-argument.js'

/** Whether stderr of a command is redirected. */
export function movesStderr(redirect: Redirection): boolean {
  const { descriptor } = redirect
  if (redirect.type !== 'Redirect') return false
  if (descriptor !== undefined) return descriptor.type === 'FileDescriptor' && descriptor.value === 2
  if (redirect.operator === '&>' || redirect.operator === '&>>') return true
  return redirect.operator === '>&' && !isOpen(redirect.target?.text)
}

/** Whether stderr of a command may be mixed into its stdout. */
export function mixesOutput(redirect: Redirection): boolean {
  if (!movesStderr(redirect) || redirect.type !== 'Redirect') return false
  return redirect.target === undefined || argumentOf(redirect.target) !== '/dev/null'
}

/** Whether the shell may fail to open a redirect; the command then does not run, and the code is the shell's. */
export function mayFail(redirect: Redirection): boolean {
  if (redirect.descriptor?.type === 'FileDescriptorVariable') return true
  if (redirect.type !== 'Redirect') return false
  const { operator, target } = redirect
  if (target === undefined) return true
  if (operator === '>&' || operator === '<&') return !isOpen(target.text)
  const place = argumentOf(target)
  if (place === '/dev/null') return false
  return operator !== '<' || typeof place === 'string' || !place.lead.startsWith('/dev/fd/')
}

function isOpen(target: string | undefined): boolean {
  return target !== undefined && /^[012]$/.test(target)
}
