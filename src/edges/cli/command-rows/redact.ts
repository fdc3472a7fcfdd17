import type { CommandRow } from '../program/command.js'

export const redact: CommandRow = {
  name: 'redact',
  summary: 'mask the secrets in a text, as a filter',
  details:
    'The same engine that guards records, logs and previews: tokens of known formats, private keys, passwords in addresses, headers and assignments. Everything else passes byte for byte, however long it is; neither config nor store is needed. With --jsonl each line is an object with "text", which is masked; its other members stay as they are. A line that cannot be read is told on stderr and left out, and the exit code is 1.',
  arguments: [{ name: '[files...]', description: 'what to read; absent: stdin' }],
  options: [
    { flags: '--jsonl', description: 'read lines like {"text": "…"} and mask their texts' },
    {
      flags: '--pii <classes>',
      description: 'also mask email, phone, credit_card, iban, us_ssn, ip_address, or all; with commas',
    },
    { flags: '--env', description: 'also mask the values of secret variables of the environment' },
    { flags: '--summary', description: 'say on stderr how much was masked, by rule' },
  ],
  examples: [
    'cat build.log | toolcrib redact > clean.log',
    'toolcrib redact .env notes.md --summary',
    `echo '{"text": "mail a@b.org"}' | toolcrib redact --jsonl --pii email`,
  ],
  load: () => import('../commands/policy/redact.js'),
}
