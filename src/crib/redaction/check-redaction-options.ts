import { piiClasses } from '../../platform/config/pii-classes.js'
import { redactionModes } from '../../platform/config/redaction-modes.js'
import { checkOptions } from '../../platform/validation/check-options.js'
import type { RedactionOptions } from './redaction-options.js'

/** Throws a one-sentence error for an invalid option. */
export function checkRedactionOptions(where: string, options: RedactionOptions): void {
  checkOptions(where, options, {
    way: 'text',
    patterns: 'boolean',
    pii: 'texts',
    secrets: 'texts',
    live: 'object',
    environment: 'boolean',
    readers: 'texts',
  })
  const { way, pii = [], readers = [] } = options
  if (way !== undefined && !(redactionModes as readonly unknown[]).includes(way))
    throw new TypeError(`${where}: "way" must be one of ${redactionModes.join(', ')}.`)
  const wrong = pii.find((each) => !(piiClasses as readonly unknown[]).includes(each))
  if (wrong !== undefined)
    throw new TypeError(`${where}: "pii" has no "${wrong}"; it takes ${piiClasses.join(', ')}.`)
  if (way === 'protect' && readers.length === 0)
    throw new TypeError(`${where}: "protect" needs "readers": the actors that may open what is protected.`)
}
