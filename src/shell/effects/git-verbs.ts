import { options, type Usage } from './usage.js'

const looks: Usage = {
  rest: 'maybe',
  takes: {
    ...options('--output', 'replace'),
    ...options('-n -S -G -L --since --until --author --grep --format', 'text'),
  },
}
const changes: Usage = { rest: 'maybe', isPartial: true }
const fetches: Usage = { rest: 'text', isPartial: true, isOpenWorld: true }
const throwsAway = 'It throws changes away.'

const lookingVerbs =
  'status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file show-ref ' +
  'for-each-ref name-rev merge-base diff-tree diff-index diff-files cherry whatchanged range-diff count-objects ' +
  'verify-commit verify-tag check-ignore check-attr check-mailmap var version help show-branch fsck ' +
  'get-tar-commit-id stripspace interpret-trailers column patch-id'

/** The effects of git's verbs; those that need more than words are separate functions. */
export const gitVerbs: ReadonlyMap<string, Usage> = new Map<string, Usage>([
  ...lookingVerbs.split(' ').map((verb): [string, Usage] => [verb, looks]),
  ...'add stage commit init tag merge cherry-pick revert switch notes apply am mv bundle stash gc maintenance worktree sparse-checkout commit-tree update-index update-ref write-tree symbolic-ref hash-object mktag mktree read-tree replace rerere repack pack-refs prune-packed fast-import lfs flow'
    .split(' ')
    .map((verb): [string, Usage] => [verb, changes]),
  ...'fetch pull ls-remote send-email svn p4 request-pull'
    .split(' ')
    .map((verb): [string, Usage] => [verb, fetches]),
  ['add', { rest: 'read', isPartial: true }],
  [
    'commit',
    {
      rest: 'read',
      isPartial: true,
      takes: { ...options('-m -C -c --message --author --date', 'text'), '-F': 'read', '--file': 'read' },
    },
  ],
  ['mv', { rest: 'move', last: 'replace', isPartial: true }],
  [
    'rm',
    {
      rest: 'delete',
      isPartial: true,
      takes: { '--pathspec-from-file': 'read' },
      when: { '--cached': { rest: 'read' } },
    },
  ],
  [
    'restore',
    {
      rest: 'replace',
      isPartial: true,
      takes: options('-s --source', 'text'),
      when: { '--staged': { rest: 'read' }, '-S': { rest: 'read' }, '--worktree': { rest: 'replace' } },
    },
  ],
  [
    'clean',
    {
      rest: 'delete',
      here: 'delete',
      takes: { '-e': 'text', '--exclude': 'text' },
      when: { '-n': { rest: 'read', here: 'read' }, '--dry-run': { rest: 'read', here: 'read' } },
    },
  ],
  [
    'reset',
    {
      rest: 'maybe',
      isPartial: true,
      when: {
        '--hard': { destroys: throwsAway, here: 'replace' },
        '--merge': { destroys: throwsAway },
        '--keep': { destroys: throwsAway },
      },
    },
  ],
  ['apply', { rest: 'read', isPartial: true, takes: { '--directory': 'replace', '-p': 'text' } }],
  ['am', { rest: 'read', isPartial: true }],
  [
    'archive',
    {
      rest: 'text',
      takes: {
        '-o': 'replace',
        '--output': 'replace',
        '--format': 'text',
        '--prefix': 'text',
        '--remote': 'host',
      },
    },
  ],
  ['bundle create', { first: ['replace'], rest: 'text' }],
  ['bundle verify', { first: ['read'], rest: 'text' }],
  ['bundle list-heads', { first: ['read'], rest: 'text' }],
  [
    'format-patch',
    { rest: 'text', isPartial: true, takes: { '-o': 'write', '--output-directory': 'write' } },
  ],
  ['fast-export', { rest: 'text', takes: { '--export-marks': 'replace' } }],
  [
    'branch',
    {
      rest: 'text',
      isPartial: true,
      when: {
        '-D': { destroys: 'It deletes a branch.' },
        '-d': { destroys: 'It deletes a branch.' },
        '--delete': { destroys: 'It deletes a branch.' },
        '-f': { destroys: 'It moves a branch.' },
        '--list': { isPartial: false },
      },
    },
  ],
  [
    'tag',
    {
      rest: 'text',
      isPartial: true,
      when: {
        '-d': { destroys: 'It deletes a tag.' },
        '--delete': { destroys: 'It deletes a tag.' },
        '-l': { isPartial: false },
        '--list': { isPartial: false },
      },
    },
  ],
  ['stash drop', { rest: 'text', destroys: throwsAway }],
  ['stash clear', { rest: 'text', destroys: throwsAway }],
  ['stash list', looks],
  ['stash show', looks],
  ['reflog', looks],
  ['reflog expire', { rest: 'text', destroys: 'It removes the way back to old commits.' }],
  ['reflog delete', { rest: 'text', destroys: 'It removes the way back to old commits.' }],
  ['remote', { rest: 'text', isPartial: true }],
  ['remote -v', looks],
  ['remote show', { rest: 'text', isOpenWorld: true }],
  ['remote update', fetches],
  ['remote prune', { ...fetches, destroys: 'It removes branches.' }],
  ['remote remove', { rest: 'text', isPartial: true, destroys: 'It removes a remote.' }],
  ['remote rm', { rest: 'text', isPartial: true, destroys: 'It removes a remote.' }],
  ['worktree list', looks],
  ['worktree add', { rest: 'text', first: ['write'], isPartial: true, takes: options('-b -B', 'text') }],
  ['worktree remove', { rest: 'delete', isPartial: true }],
  ['worktree prune', { ...changes, destroys: 'It removes work trees.' }],
  ['gc', { rest: 'text', isPartial: true, when: { '--prune': { destroys: 'It removes old commits.' } } }],
  ['prune', { rest: 'text', destroys: 'It removes old commits.' }],
  ['update-ref', { rest: 'text', isPartial: true, when: { '-d': { destroys: 'It deletes a reference.' } } }],
  ['filter-repo', { rest: 'text', isPartial: true, destroys: 'It rewrites history.' }],
  ['notes remove', { rest: 'text', destroys: 'It deletes notes.' }],
  ['lfs prune', { rest: 'text', destroys: 'It deletes old files.' }],
  ['daemon', { rest: 'read', isOpenWorld: true, isPartial: true }],
  ['instaweb', { rest: 'text', isOpenWorld: true, isPartial: true }],
])
