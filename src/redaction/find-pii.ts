import type { PiiClass } from '../platform/config/pii-classes.js'
import type { NoteSecret } from './secret-span.js'

const PATTERNS: Readonly<Record<PiiClass, { pattern: RegExp; isOne?: (found: string) => boolean }>> = {
  email: { pattern: /[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}(?![A-Za-z0-9-])/g },
  phone: {
    pattern:
      /(?<![\w.+-])(?:\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d(?:[ .-]?\d){5,13}|\(\d{3}\)[ .-]?\d{3}[ .-]?\d{4}|\d{3}[ .-]\d{3}[ .-]\d{4})(?![\w-])/g,
    isOne: (found) => /^\D*(?:\d\D*){7,15}$/.test(found),
  },
  credit_card: {
    pattern:
      /(?<![\w.-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{5})(?![\w-]| \d)/g,
    isOne: passesLuhn,
  },
  iban: {
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/g,
    isOne: passesIbanCheck,
  },
  us_ssn: { pattern: /(?<![\w-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g },
  ip_address: {
    pattern:
      /(?<![\w.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.]\d|\w)|(?<![\w:])(?:[A-Fa-f0-9]{1,4}:){7}[A-Fa-f0-9]{1,4}(?![\w:])|(?<![\w:])(?:[A-Fa-f0-9]{1,4}:){1,6}(?::[A-Fa-f0-9]{1,4}){1,6}(?![\w:])/g,
  },
}

export function findPii(text: string, classes: readonly PiiClass[], note: NoteSecret): void {
  for (const each of classes) {
    const { pattern, isOne } = PATTERNS[each]
    for (const { 0: found, index } of text.matchAll(pattern))
      if (isOne === undefined || isOne(found)) note(index, index + found.length, each)
  }
}

function passesLuhn(found: string): boolean {
  const digits = found.replace(/\D/g, '')
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const counted = at % 2 === 0 ? digit : digit * 2
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0 && !/^0+$/.test(digits)
}

/**
 * The first four characters go to the end, letters count as numbers from 10; the remainder of a division by 97 is 1.
 */
function passesIbanCheck(found: string): boolean {
  const compact = found.replace(/ /g, '')
  if (compact.length < 15 || compact.length > 34) return false
  let rest = 0
  for (const char of compact.slice(4) + compact.slice(0, 4))
    for (const digit of String(Number.parseInt(char, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}
