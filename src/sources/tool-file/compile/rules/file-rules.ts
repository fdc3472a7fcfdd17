import { error, warning } from './rule.js'

/** Problems of files and folders as such, and of YAML. */
export const fileRules = {
  'aml/missing-folder': error('The folder is not there', 'Create the folder, or correct its path.'),
  'aml/empty-folder': error(
    'The folder has no tool files',
    'Put tool files into tools/, named <tool_id>.tool.md.',
  ),
  'aml/unreadable-file': error('The file cannot be read', 'Make it a regular file that this user may read.'),
  'aml/misnamed-file': warning(
    'The file is not read',
    'Name tool files tools/<tool_id>.tool.md and agent files agents/<agent_id>.agent.md.',
  ),
  'aml/file-too-large': error('The file is larger than 1 MB', 'Shorten the file.'),
  'aml/encoding': error('The file is not UTF-8', 'Save the file as UTF-8.'),
  'aml/byte-order-mark': warning(
    'The file begins with a byte order mark',
    'Save the file as UTF-8 without a byte order mark.',
  ),
  'aml/control-character': error('The front matter has a control character', 'Remove the character.'),
  'aml/missing-front-matter': error(
    'The file does not begin with front matter',
    'Begin the file with a line "---", the fields, and another line "---".',
  ),
  'aml/unclosed-front-matter': error('The front matter has no end', 'Put a line "---" behind the fields.'),
  'aml/front-matter-too-large': error('The front matter is larger than 128 KB', 'Shorten the front matter.'),
  'aml/front-matter-object': error(
    'The front matter has no fields',
    'Write the fields of the file as key: value.',
  ),
  'aml/yaml-syntax': error('The front matter is not valid YAML', 'Correct the YAML at this position.'),
  'aml/yaml-tab': error('A tab indents YAML', 'Indent with spaces.'),
  'aml/duplicate-key': error('A key is there twice', 'Remove one of the two.'),
  'aml/yaml-key': error('A key is no word', 'Use a word or a number as key.'),
  'aml/yaml-template': error(
    'A value is a template',
    'Write the value, or put it in quotes; templates are not filled in.',
  ),
  'aml/merge-key': error('The front matter uses a merge key', 'Write the merged fields out.'),
  'aml/yaml-alias': error(
    'An alias has no value',
    'Set the anchor before the alias, or write the value out.',
  ),
  'aml/yaml-tag': error('A value has a tag', 'Remove the tag.'),
  'aml/yaml-number': error('A number is not finite', 'Use a number that JSON can hold.'),
  'aml/yaml-too-deep': error('Values are nested too deeply', 'Use at most 100 levels.'),
  'aml/yaml-too-many-values': error(
    'There are too many values',
    'Use at most 10,000 values, those of aliases included.',
  ),
} as const
