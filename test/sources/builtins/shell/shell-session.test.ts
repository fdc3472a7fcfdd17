import { describe, expect, it } from 'vitest'
import { sqliteStore } from 'toolcrib'
import { openTemporaryFolder } from '../../../temporary-folder.js'
import { openShell, whyNoSandbox } from './open-shell.js'

const why = whyNoSandbox()
if (why) console.log(`skipped: ${why}`)

interface Session {
  readonly terminal_id: string
  readonly output: string
  readonly is_open: boolean
  readonly exit_code?: number
}

describe.skipIf(why !== undefined)('shell.session', () => {
  it('opens a program in a terminal, types, reads and closes it', async () => {
    const { call } = await openShell()
    const act = async (input: object): Promise<Session> => {
      const result = await call('tool_shell_session', input)
      expect(result.error).toBeUndefined()
      return result.structured_content as Session
    }
    const question = 'tty >/dev/null && read -p "Who? " name && echo "Hello, $name."'
    const opened = await act({ action: 'open', input: question })
    expect(opened).toMatchObject({ output: 'Who? ', is_open: true })
    const { terminal_id } = opened
    const typed = await act({ action: 'write', terminal_id, input: 'Ada\n' })
    const rest = typed.is_open ? await act({ action: 'read', terminal_id, wait_ms: 3000 }) : typed
    expect(typed.output + (rest === typed ? '' : rest.output)).toContain('Hello, Ada.')
    expect(rest).toMatchObject({ is_open: false, exit_code: 0 })
  })

  it('ends the program when it is closed, and knows it no longer', async () => {
    const { call } = await openShell()
    const opened = (await call('tool_shell_session', { action: 'open', input: 'cat' }))
      .structured_content as Session
    const { terminal_id } = opened
    expect(
      (await call('tool_shell_session', { action: 'close', terminal_id })).structured_content,
    ).toMatchObject({
      is_open: false,
    })
    const again = await call('tool_shell_session', { action: 'read', terminal_id })
    expect(again.error?.message).toContain('There is no such session')
  })

  it('has no terminal of the user and no way out of its folders', async () => {
    const { call } = await openShell()
    const { output } = (
      await call('tool_shell_session', {
        action: 'open',
        input: 'touch /usr/x; ps -e | wc -l',
        wait_ms: 3000,
      })
    ).structured_content as Session
    expect(output).toContain('Read-only file system')
  })

  it.each(['.toolcrib/store.db', 'records.db'])(
    'does not see what is stored in %s while it runs, and does not hinder it',
    async (path) => {
      const folder = openTemporaryFolder()
      const store = sqliteStore({ path: folder.file(path) })
      const { call, exec } = await openShell({}, { folder, store })
      folder.write('look.sh', 'grep -rs stored-line . | grep -v look.sh; echo looked')
      const { terminal_id } = (await call('tool_shell_session', { action: 'open', input: 'bash --norc' }))
        .structured_content as Session
      const stored = await exec({ command: 'for n in $(seq 9000); do echo stored-line; done' })
      expect(stored).toMatchObject({
        status: 'succeeded',
        persisted_payload_ref: { uri: expect.any(String) },
      })
      const written = await call('tool_shell_session', {
        action: 'write',
        terminal_id,
        input: 'bash look.sh; exit\n',
        wait_ms: 10_000,
      })
      const read = await call('tool_shell_session', { action: 'read', terminal_id, wait_ms: 10_000 })
      const seen = JSON.stringify([written.structured_content, read.structured_content])
      expect(seen).toContain('looked')
      expect(seen).not.toContain('stored-line')
    },
  )
})
