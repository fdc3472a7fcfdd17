import type { CommandRow } from '../program/command.js'

export const redact: CommandRow = {
  name: 'redact',
  summary: 'mask the secrets in a text, as a filter',
  details:
    'Uses the engine that redacts records, logs and previews: it masks tokens of known formats, private keys, passwords in addresses, headers and assignments. All other text stays unchanged byte for byte, at any length; no config and no store is needed. With --jsonl each line is an object with "text", which is masked; its other members do not change. A line that cannot be read is reported on stderr and omitted, and the exit code is 1.',
  arguments: [{ name: '[files...]', description: 'the files to read; default: stdin' }],
  options: [
    { flags: '--jsonl', description: 'read lines like {"text": "…"} and mask their texts' },
    {
      flags: '--pii <classes>',
      description:
        'also mask email, phone, credit_card, iban, us_ssn, ip_address, or all; separated by commas',
    },
    { flags: '--env', description: 'also mask the values of secret environment variables' },
    { flags: '--summary', description: 'print the number of masks by rule on stderr' },
  ],
  examples: [
    'cat build.log | toolcrib redact > clean.log',
    'toolcrib redact .env notes.md --summary',
    `echo '{"text": "mail a@b.org"}' | toolcrib redact --jsonl --pii email`,
  ],
  load: () => import('../commands/policy/redact.js'),
}
