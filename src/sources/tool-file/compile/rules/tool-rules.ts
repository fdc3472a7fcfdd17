import { error, warning } from './rule.js'

/** Problems of the fields of tool files outside `interface` and `transport`. */
export const toolRules = {
  'aml/missing-field': error('A required field is missing', 'Add the field.'),
  'aml/missing-value': error('A field has no value', 'Write a value, or remove the field.'),
  'aml/wrong-type': error(
    'A field has a value of the wrong type',
    'Write the value that the message asks for.',
  ),
  'aml/empty-text': error('A required text is empty', 'Write the text.'),
  'aml/unknown-field': warning('A field is not known', 'Correct its name, or remove it; it has no effect.'),
  'aml/misplaced-field': error(
    'A field is indented too little',
    'Indent it under the object that it belongs to.',
  ),
  'aml/unsupported-spec-version': error('The AML version is not supported', 'Set spec_version to "1.2".'),
  'aml/invalid-tool-id': error(
    'The tool_id is not valid',
    'Use 3 to 64 lower-case letters, digits, hyphens and underscores.',
  ),
  'aml/file-name': error(
    'The name of the file differs from the id',
    'Name the file <tool_id>.tool.md or <agent_id>.agent.md.',
  ),
  'aml/duplicate-tool-id': error('Two files have the same tool_id', 'Give each tool an id of its own.'),
  'aml/invalid-version': error('The version is no semantic version', 'Write the version as "1.0.0".'),
  'aml/invalid-status': error('The status is not known', 'Use draft, active, deprecated or disabled.'),
  'aml/invalid-type': error('The type is not known', 'Use retrieval, action, function or human.'),
  'aml/invalid-date': warning('meta.last_updated is no date', 'Write it as "2025-04-01".'),
  'aml/deprecated-without-date': warning(
    'A deprecated tool has no date',
    'Add meta.last_updated, so that readers know since when.',
  ),
  'aml/missing-guidance': warning(
    'use_when or avoid_when is missing',
    'Say when to use the tool, and when not to; models choose by it.',
  ),
  'aml/missing-side-effects': warning(
    'An action does not say its side effects',
    'Add use_guidance.side_effects.',
  ),
  'aml/side-effects-none': warning(
    'An action says that it has no side effects',
    'Describe what a call changes, or use type retrieval.',
  ),
  'aml/unstated-side-effects': warning(
    'A tool without side effects does not say so',
    'Add use_guidance.side_effects: "None".',
  ),
  'aml/invalid-error-code': error(
    'An entry of error_codes is not valid',
    'Write a status or a code, with meaning and agent_action as texts.',
  ),
  'aml/unlikely-status': warning(
    'A number in error_codes is no HTTP status',
    'Use a status from 100 to 599.',
  ),
} as const
