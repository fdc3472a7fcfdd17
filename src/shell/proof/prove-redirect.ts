import type { Redirection } from 'unbash'
import { provesParts, provesWord } from './prove-part.js'
import type { Prover } from './prover.js'
import { toArgument } from '../parse/to-argument.js'

/** Whether a redirect only reads, or duplicates an open file or goes to /dev/null. */
export function provesRedirect(redirect: Redirection, prover: Prover): boolean {
  if (redirect.descriptor?.type === 'FileDescriptorVariable')
    return prover.taint('A redirect sets a variable.')
  if (redirect.type === 'HereDoc') {
    const { body, delimiter, closing } = redirect
    if (delimiter === undefined || closing === undefined) return prover.fail('A here-document has no end.')
    if (delimiter.quoted) return true
    return body.parts === undefined || provesParts(body.parts, prover)
  }
  const { target } = redirect
  if (target === undefined) return prover.fail('A redirect names no file.')
  if (redirect.type === 'HereString') return provesWord(target, prover)

  const place = toArgument(target, prover)
  if (place === undefined) return false
  switch (redirect.operator) {
    case '<':
      if (isReadable(typeof place === 'string' ? place : place.lead)) return true
      return prover.fail(`It is not known what ${target.text} would open.`)
    case '<&':
    case '>&':
      // The process that started the shell may have opened other numbers on anything.
      if (place === '1' || place === '2' || place === '-') return true
      if (place === '0' && redirect.operator === '<&') return true
      return prover.fail(`The file descriptor ${target.text} may be open on anything.`)
    case '>':
    case '>>':
    case '>|':
    case '&>':
    case '&>>':
      return place === '/dev/null' || prover.fail(`Output goes to ${target.text}.`)
    case '<>':
      return prover.fail(`${target.text} is opened for writing.`)
  }
}

/** The shell opens connections for `/dev/tcp/…`, so enough of the name must be known to exclude a device. */
function isReadable(lead: string): boolean {
  if (lead.startsWith('/dev/'))
    return lead === '/dev/null' || lead === '/dev/stdin' || lead.startsWith('/dev/fd/')
  return lead !== '' && !'/dev/'.startsWith(lead)
}
