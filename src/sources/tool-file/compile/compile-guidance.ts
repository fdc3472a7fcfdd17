import { isObject } from '../../../platform/json/is-object.js'
import type { CompiledTool, ErrorMeaning, UseGuidance } from '../compiled.js'
import { given, objectField, reportUnknown, textField, textsField, type Fields } from './fields.js'

/** `use_guidance`: when models should use the tool. */
export function compileGuidance(root: Fields): UseGuidance | undefined {
  const fields = objectField(root, 'use_guidance', { missing: 'aml/missing-field' })
  if (!fields) return undefined
  reportUnknown(fields, ['use_when', 'avoid_when', 'side_effects'])
  return {
    use_when: textsField(fields, 'use_when', { orText: true })?.value ?? [],
    avoid_when: textsField(fields, 'avoid_when', { orText: true })?.value ?? [],
    side_effects: textsField(fields, 'side_effects', { orText: true })?.value ?? [],
  }
}

/** `error_codes`: what failures mean, by status or by another code of the service. */
export function compileErrorCodes(root: Fields): CompiledTool['errorCodes'] {
  const fields = objectField(root, 'error_codes')
  if (!fields) return {}
  const entries: [string, ErrorMeaning][] = []
  for (const [code, { key, node }] of fields.node.members ?? []) {
    if (/^\d+$/.test(code) && (Number(code) < 100 || Number(code) > 599))
      root.report.add('aml/unlikely-status', key, `"${code}" is no HTTP status; statuses go from 100 to 599.`)
    if (code === '' || !isObject(node.value)) {
      root.report.add(
        'aml/invalid-error-code',
        key,
        `"error_codes.${code}" must be an object with meaning and agent_action.`,
      )
      continue
    }
    const entry: Fields = { node, at: key, path: `error_codes.${code}`, report: root.report }
    reportUnknown(entry, ['meaning', 'agent_action'])
    const meaning = textField(entry, 'meaning', { wrong: 'aml/invalid-error-code' })?.value
    const action = textField(entry, 'agent_action', { wrong: 'aml/invalid-error-code' })?.value
    if (!given(entry, 'meaning') && !given(entry, 'agent_action'))
      root.report.add('aml/invalid-error-code', key, `"${entry.path}" needs meaning or agent_action.`)
    entries.push([
      code,
      { ...(meaning !== undefined && { meaning }), ...(action !== undefined && { agent_action: action }) },
    ])
  }
  return Object.fromEntries(entries)
}
