import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { profileFor, WORKSPACE } from '../../../../src/sources/builtins/shell/shell-profiles.js'
import { resolveSettings } from '../../../../src/sources/builtins/shell/shell-settings.js'
import type { SandboxProfile } from '../../../../src/platform/sandbox/sandbox.js'
import type { BuiltinEnvironment } from '../../../../src/sources/builtins/builtin.js'
import { readOnce } from '../../../../src/shell/read-once.js'
import { temporaryFolder } from '../../../temporary-folder.js'

const home = temporaryFolder()
const folder = join(home, 'project')
const key = join(home, '.ssh')
const githubKeys = join(home, '.config', 'gh')
const hooks = join(folder, '.git', 'hooks')
mkdirSync(hooks, { recursive: true })

function profileOf(command: string): SandboxProfile {
  const storage = { protectedPaths: { own: [], home } } as unknown as BuiltinEnvironment['storage']
  const settings = resolveSettings({}, { folder, env: {}, storage, secrets: undefined, onProblem: () => {} })
  const reading = readOnce(command, { cwd: folder, home, shell: 'bash' })
  return profileFor(settings, { name: WORKSPACE, reading, tmpFolder: undefined, proxySocket: undefined })
}

describe('the profile of a command', () => {
  it.each([
    'ls / && npm test',
    'ls ~ && npm test',
    'ls ~/.config && npm test',
    'stat .. && npm test',
    'cp -r ~ /tmp/x && npm test',
  ])('hides keys from a command that only names a folder above them: %s', (command) => {
    expect(profileOf(command).hidden).toEqual(expect.arrayContaining([key, githubKeys]))
  })

  it.each(['ls ~/.ssh', 'cat ~/.ssh/config', 'rm ~/.ssh/known_hosts'])('shows a key to %s', (command) => {
    expect(profileOf(command).hidden).not.toContain(key)
    expect(profileOf(command).hidden).toContain(githubKeys)
  })

  it.each(['touch . && npm test', 'mkdir -p . && npm test', 'chmod 755 .. && npm test', 'npm test'])(
    'protects hooks from a command that does not name them: %s',
    (command) => {
      expect(profileOf(command).readOnly).toContain(hooks)
    },
  )

  it.each(['touch .git/hooks/pre-commit', 'rm -r .git', 'chmod +x .git/hooks'])(
    'lets %s change them',
    (command) => {
      expect(profileOf(command).readOnly).not.toContain(hooks)
    },
  )
})
