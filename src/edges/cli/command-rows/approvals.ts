import type { ArgumentRow, CommandRow, OptionRow } from '../program/command.js'

const APPROVAL: ArgumentRow = {
  name: '<approval>',
  description: 'the id of the approval, a part of it that no other has, or "last"',
}
const AS: OptionRow = { flags: '--as <reviewer>', description: 'answer as this reviewer of the config' }

export const approvals: CommandRow = {
  name: 'approvals',
  summary: 'answer calls that wait for approval',
  details:
    'On a terminal they can be answered one after the other: client, tool, input, facts, why it asks and what "always" would allow are shown; y approves once, s for the session, a always, n denies, up and down choose, q leaves. Elsewhere a list: of each call the id, the tool, the input, who asked and how long that can be answered. With --json: one toolcrib_approval record per line.',
  options: [{ flags: '--all', description: 'also those that were answered or have run out' }],
  examples: ['toolcrib approvals', 'toolcrib approvals --all --json'],
  load: () => import('../commands/approvals/approvals.js'),
}

export const approvalsShow: CommandRow = {
  name: 'approvals show',
  summary: 'show all about one approval',
  details:
    'The input in full, with secrets masked, why it is asked about, and the changes of rules that may be accepted with it, by number. With --json: the toolcrib_approval record.',
  arguments: [APPROVAL],
  examples: ['toolcrib approvals show last'],
  load: () => import('../commands/approvals/approvals-show.js'),
}

export const approvalsApprove: CommandRow = {
  name: 'approvals approve',
  summary: 'approve a call, as it is or with another input',
  details:
    'On a terminal the person at it answers. Where "last" or a part of an id names the question, all of it is shown first and asked about; a whole id or --yes is answered at once. Elsewhere --as names a reviewer whose token_sha256 stands in the config, and TOOLCRIB_REVIEWER_TOKEN holds the secret. Masks that are left in --input stand for the secrets that they hide. If the process that asked is gone, the call runs here and its result is printed. From inside a tool call nothing can be approved.',
  arguments: [APPROVAL],
  options: [
    { flags: '-i, --input <json>', description: 'run it with this input: JSON, @file, or - for stdin' },
    { flags: '--session [number]', description: 'accept a suggested change of rules for this session' },
    { flags: '--always [number]', description: 'accept a suggested change of rules for good' },
    { flags: '--feedback <text>', description: 'a word to go with it' },
    { flags: '-y, --yes', description: 'do not ask again on a terminal' },
    {
      flags: '--wait',
      description: 'wait for the result where another process goes on with it; 1 where none does yet',
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

export const approvalsReject: CommandRow = {
  name: 'approvals reject',
  summary: 'deny a call, with a word for the model',
  arguments: [APPROVAL],
  options: [{ flags: '--feedback <text>', description: 'what the model reads as the reason' }, AS],
  examples: [`toolcrib approvals reject last --feedback 'Use the copy, not the original.'`],
  widens: () => true,
  load: () => import('../commands/approvals/approvals-reject.js'),
}
