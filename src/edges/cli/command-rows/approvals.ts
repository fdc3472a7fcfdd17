import type { ArgumentRow, CommandRow, OptionRow } from '../program/command.js'

const APPROVAL: ArgumentRow = {
  name: '<approval>',
  description: 'the id of the approval, a unique part of it, or "last"',
}
const AS: OptionRow = { flags: '--as <reviewer>', description: 'answer as this reviewer of the config' }

export const approvals: CommandRow = {
  name: 'approvals',
  summary: 'answer waiting calls',
  details:
    'On a terminal you answer them one after the other. It shows the client, tool, input, facts, the reason for the approval and what "always" would allow; y approves once, s for the session, a always, n denies, up and down select, q quits. A question with a form is filled in field by field after y. Elsewhere it prints a list: the id, tool, input, caller and remaining time of each call. With --json: one toolcrib_approval record per line.',
  options: [
    { flags: '--all', description: 'also answered and expired approvals' },
    { flags: '--queue <name>', description: 'only questions of this queue' },
  ],
  examples: ['toolcrib approvals', 'toolcrib approvals --queue refunds', 'toolcrib approvals --all --json'],
  load: () => import('../commands/approvals/approvals.js'),
}

export const approvalsShow: CommandRow = {
  name: 'approvals show',
  summary: 'show one approval in detail',
  details:
    'Shows the full input with secrets masked, the reason for the approval, and the numbered rule changes that can be accepted with it. With --json: the toolcrib_approval record.',
  arguments: [APPROVAL],
  examples: ['toolcrib approvals show last'],
  load: () => import('../commands/approvals/approvals-show.js'),
}

export const approvalsApprove: CommandRow = {
  name: 'approvals approve',
  summary: 'approve a call, unchanged or with another input',
  details:
    'On a terminal, the person at the terminal answers. If "last" or a part of an id names the approval, the command shows it and asks for confirmation; a full id or --yes answers at once. Elsewhere, --as names a reviewer with a token_sha256 in the config, and TOOLCRIB_REVIEWER_TOKEN has the secret. Masks that stay in --input stand for the secrets that they hide. If the process that made the call has ended, the call runs here and its result is printed. Nothing can be approved from inside a tool call.',
  arguments: [APPROVAL],
  options: [
    { flags: '-i, --input <json>', description: 'run the call with this input: JSON, @file, or - for stdin' },
    { flags: '--session [number]', description: 'accept a suggested rule change for this session' },
    { flags: '--always [number]', description: 'accept a suggested rule change permanently' },
    { flags: '--feedback <text>', description: 'a message to send with the approval' },
    { flags: '-y, --yes', description: 'do not ask for confirmation on a terminal' },
    {
      flags: '--wait',
      description: 'wait for the result if another process runs the call; exit with 1 if none does yet',
    },
    AS,
  ],
  examples: [
    'toolcrib approvals approve last',
    `toolcrib approvals approve last --input '{"table": "drafts"}'`,
    'toolcrib approvals approve last --always 1 --wait',
  ],
  widens: () => true,
  load: () => import('../commands/approvals/approvals-approve.js'),
}

export const approvalsAnswer: CommandRow = {
  name: 'approvals answer',
  summary: 'answer a question with a form',
  details:
    'The answer is the result of the call. It is given as key=value, like the input of "toolcrib call", or whole with --content; on a terminal without both, the command asks for each field. An answer that does not fit is refused with the names of the fields, and the question stays open. Who may answer is as in "approvals approve".',
  arguments: [
    APPROVAL,
    { name: '[pairs...]', description: 'the fields of the form, as key=value or key:=json' },
  ],
  options: [
    { flags: '--content <json>', description: 'the whole answer: JSON, @file, or - for stdin' },
    { flags: '--feedback <text>', description: 'a message to send with the answer' },
    {
      flags: '--wait',
      description: 'wait for the result if another process continues the call; exit with 1 if none does yet',
    },
    AS,
  ],
  examples: [
    'toolcrib approvals answer last',
    'toolcrib approvals answer last decision=refund amount=12.5',
    `toolcrib approvals answer last --content '{"decision": "refuse"}'`,
  ],
  widens: () => true,
  load: () => import('../commands/approvals/approvals-answer.js'),
}

export const approvalsReject: CommandRow = {
  name: 'approvals reject',
  summary: 'deny a call, with a message for the model',
  arguments: [APPROVAL],
  options: [{ flags: '--feedback <text>', description: 'the reason that the model gets' }, AS],
  examples: [`toolcrib approvals reject last --feedback 'Use the copy, not the original.'`],
  widens: () => true,
  load: () => import('../commands/approvals/approvals-reject.js'),
}
