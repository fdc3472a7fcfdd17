import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import * as contract from '../../src/contract/index.js'
import { artifactErrorCodes } from '../../src/crib/artifacts/artifact-error.js'
import { blobErrorCodes } from '../../src/storage/blobs/blob-error.js'
import type { ErrorCode, ToolError, Words } from '../../src/contract/index.js'
import { storeErrorCodes } from '../../src/storage/store-error.js'
import { toolError } from '../../src/pipeline/failures/tool-error.js'

const { codeWords, errorClasses, errorCodes, errorTable, errorWords, describeError } = contract

const sentence = /^[A-Z{"].*\.$/

function expectWords({ forModel, forPerson }: Words): void {
  expect(forModel).toMatch(sentence)
  expect(forModel.length).toBeLessThan(130)
  expect(forPerson).toMatch(sentence)
  expect(forPerson.split('{tool}')).toHaveLength(2)
  expect(forPerson.length).toBeLessThan(160)
  // The text for a person has no classes, no codes and no internal terms.
  expect(forPerson).not.toMatch(/_|toolcrib|schema|hook|argument|\binvocation|\bcall\b|sibling|surface/i)
}

describe('the texts of an error', () => {
  it.each(errorClasses)('%s has texts for the model and for the person', (errorClass) => {
    const { ifSafe, ...words } = errorWords[errorClass]
    expectWords(words)
    if (ifSafe) expectWords(ifSafe)
  })

  it.each(Object.entries(codeWords))('%s has complete texts', (code, words) => {
    for (const errorClass of errorCodes[code as ErrorCode].errorClasses) {
      const { ifSafe, ...whole } = { ...errorWords[errorClass], ...words }
      expectWords(whole)
      if (words.ifSafe) expectWords(ifSafe!)
    }
  })

  it('differ for every class', () => {
    const said = errorClasses.map((errorClass) => errorWords[errorClass].forPerson)
    expect(new Set(said).size).toBe(errorClasses.length)
  })

  it('tell a refused model not to try another way', () => {
    for (const errorClass of ['permission_denied', 'policy_blocked', 'hook_blocked'] as const)
      expect(errorWords[errorClass].forModel).toContain('Do not try to reach the same by another way')
  })

  it('name the tool exactly, with any characters in its name', () => {
    const error = toolError('permission_denied', { message: 'No.' })
    expect(describeError(error, '$& $1').forPerson).toContain('"$& $1" was not allowed')
  })

  it('mention the wait once', () => {
    const after = (message: string): string =>
      describeError(toolError('rate_limited', { message, retryAfter: 7 }), 't').forModel
    expect(after('Too many.')).toMatch(/ Wait 7 s first\.$/)
    expect(after('Try again in 7 s.')).not.toContain('7 s')
    expect(describeError(toolError('rate_limited', { message: 'Too many.' }), 't').forModel).not.toContain(
      'Wait',
    )
  })

  it('accept an error of another writer with only its class, and an unknown code', () => {
    const bare: ToolError = { error_class: 'timeout', message: 'Late.' }
    expect(describeError(bare, 't').forModel).toBe(errorWords.timeout.forModel)
    expect(describeError({ ...bare, error_code: 'constructor' }, 't').forModel).toBe(
      errorWords.timeout.forModel,
    )
  })
})

describe('the codes of errors', () => {
  it('are one for each class, those of approvals, those of the store, and finer ones', () => {
    for (const errorClass of errorClasses)
      expect(errorCodes[`toolcrib.${errorClass}`].errorClasses).toEqual([errorClass])
    for (const code of [...Object.keys(contract.approvalCodes), ...storeErrorCodes])
      expect(Object.keys(errorCodes)).toContain(code)
    for (const { errorClasses: classes, meaning } of Object.values(errorCodes)) {
      expect(meaning).toMatch(sentence)
      for (const errorClass of classes) expect(errorTable).toHaveProperty(errorClass)
    }
  })

  const root = fileURLToPath(new URL('../../src', import.meta.url))
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('contract'))
    .map((path) => join(root, path))
  const used = new Map<string, string>()
  for (const file of files)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/'(toolcrib\.[a-z_]+)'/g))
      used.set(name!, file)

  /** Names with a dot that are something else. */
  const others = new Set<string>([
    ...contract.ownDecisionSources,
    ...contract.ownSurfaceReasons,
    ...contract.ownEventClasses,
    'toolcrib.system',
    'toolcrib.call',
    'toolcrib.output',
    'toolcrib.partial',
    'toolcrib.yaml',
    'toolcrib.yml',
    'toolcrib.json',
    'toolcrib.lock',
    'toolcrib.other_tools',
    'toolcrib.retention',
  ])
  /** Codes of errors that are thrown, and never appear in a result. */
  const thrown: string[] = [
    'toolcrib.still_waiting',
    'toolcrib.usage',
    'toolcrib.call_lost',
    'toolcrib.place_refused',
    'toolcrib.backup',
    ...blobErrorCodes,
    ...artifactErrorCodes,
  ]

  it('are in the table, wherever they are used', () => {
    const missing = [...used].filter(
      ([name]) => !Object.hasOwn(errorCodes, name) && !others.has(name) && !thrown.includes(name),
    )
    expect(missing).toEqual([])
  })

  it('are used, if they are in the table', () => {
    const ofClasses = errorClasses.map((errorClass) => `toolcrib.${errorClass}`)
    const idle = Object.keys(errorCodes).filter((code) => !used.has(code) && !ofClasses.includes(code))
    expect(idle).toEqual([])
  })
})
