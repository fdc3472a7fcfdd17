import { error } from './rule.js'

/** Problems of a folder compared with its last published state, `toolcrib.lock`. */
export const lockRules = {
  'aml/invalid-lock': error(
    'toolcrib.lock cannot be read',
    'Restore the file from version control, or write it again.',
  ),
  'aml/removed-tool': error(
    'A published tool is gone, and an agent refers to it',
    'Restore the tool with status disabled, or remove the refs and publish that first.',
  ),
  'aml/renamed-tool': error(
    'A published tool has another id, and an agent refers to it',
    'Restore the id; add a tool with the new id and deprecate the old one.',
  ),
  'aml/unchanged-version': error('A published tool changed and its version did not', 'Raise the version.'),
  'aml/lowered-version': error(
    'The version is lower than the published one',
    'Raise the version above the published one.',
  ),
  'aml/breaking-input': error(
    'The input changed in a breaking way',
    'Raise the major version, or accept what the published schema accepts.',
  ),
  'aml/breaking-output': error(
    'The output changed in a breaking way',
    'Raise the major version, or keep what the published schema promises.',
  ),
} as const
