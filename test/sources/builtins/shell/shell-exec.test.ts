import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { openShell, outputOf, whyNoSandbox } from './open-shell.js'
import { openTemporaryFolder } from '../../../temporary-folder.js'
import { trustConfig } from '../../../trust-config.js'
import { until } from '../../../until.js'

/** The standard's example of a shell tool. */
const EXAMPLE = {
  schema_version: '0.2.0',
  tool_id: 'tool_shell_exec',
  namespace: 'local.shell',
  name: 'shell.exec',
  search_hint: 'run local shell commands',
  tool_kind: 'shell_command',
  input_contract: {
    strict: true,
    model_input_schema: {
      type: 'object',
      properties: {
        command: { type: 'string' },
        timeout_ms: { type: 'integer', minimum: 1000 },
        run_in_background: { type: 'boolean' },
        description: { type: 'string' },
      },
      required: ['command'],
      additionalProperties: false,
    },
    runtime_input_schema: {
      type: 'object',
      properties: { sandbox_override_ref: { type: 'string' }, simulated_edit_ref: { type: 'string' } },
    },
    internal_only_fields: ['sandbox_override_ref', 'simulated_edit_ref'],
  },
  tool_interface: {
    is_read_only: 'classifier:command_read_only',
    is_concurrency_safe: 'same_as:is_read_only',
    is_destructive: 'classifier:command_destructive',
    is_open_world: true,
    classifier_input: 'input.command',
    permission_matcher: 'shell_pattern',
    interrupt_behavior: 'cancel',
    max_inline_chars: 30000,
  },
  execution_profile: {
    execution_kind: 'shell',
    supports_progress: true,
    supports_cancel: true,
    supports_background: true,
    sandboxed: true,
  },
  permission_profile: {
    risk_level: 'high',
    access_kinds: ['file_read', 'file_write', 'network', 'code_execution'],
    write_effects: ['local_persistent', 'remote_mutation'],
    approval_required: true,
    sandbox_profile: 'workspace_shell_sandbox',
  },
}

const MAIN = new URL('../../../../bin/toolcrib.js', import.meta.url).pathname
const why = whyNoSandbox()
if (why) console.log(`skipped: ${why}`)

it('[AT-EX-01] [AT-EXEC-02] [AT-KIND-06] declares shell.exec as the example of the standard does', async () => {
  const { crib } = await openShell()
  const { tool_interface, execution_profile, permission_profile, input_contract, ...own } = EXAMPLE
  const declaration = (await crib.resolveRef('tool:tool_shell_exec')) as Record<string, unknown>
  expect(declaration).toMatchObject(own)
  const contract = declaration['input_contract'] as Record<string, unknown>
  for (const [name, value] of Object.entries(input_contract)) expect(contract[name]).toEqual(value)
  const parts = { tool_interface, execution_profile, permission_profile }
  for (const [name, part] of Object.entries(parts)) {
    const record = (await crib.resolveRef(`${name}:tool_shell_exec`)) as Record<string, unknown>
    for (const [field, value] of Object.entries(part)) expect([field, record[field]]).toEqual([field, value])
  }
})

describe.skipIf(why !== undefined)('a command', () => {
  it('runs in the folder of the config, with a clean environment', async () => {
    process.env['TEST_SECRET_OF_PARENT'] = 'no'
    const { exec, folder } = await openShell({ env: { GIVEN: 'yes' } })
    const { stdout, exit_code } = outputOf(
      await exec({ command: 'pwd; echo "$GIVEN$TEST_SECRET_OF_PARENT"' }),
    )
    expect({ stdout, exit_code }).toEqual({ stdout: `${folder.path}\nyes\n`, exit_code: 0 })
  })

  it('writes in its folder and nowhere else', async () => {
    const { exec, folder } = await openShell()
    const outside = `${homedir()}/toolcrib-shell-test`
    const result = await exec({ command: `echo a >inside; echo b >${outside}; echo c >/tmp/x; cat /tmp/x` })
    expect(readFileSync(folder.file('inside'), 'utf8')).toBe('a\n')
    expect(existsSync(outside)).toBe(false)
    expect(outputOf(result)).toMatchObject({ stdout: 'c\n', violations: [{ kind: 'write' }] })
    // The temporary folder is shared by the commands of one set.
    expect(outputOf(await exec({ command: 'cat /tmp/x' })).stdout).toBe('c\n')
  })

  it('runs a command once that says it could not be started', async () => {
    const host = openTemporaryFolder()
    const socket = host.file('host.sock')
    const server = createServer().listen(socket)
    await once(server, 'listening')
    const { exec, folder } = await openShell()
    const said = `bwrap: Can't bind mount /oldroot/dev/null on /newroot${socket}: No such file or directory`
    await exec({ command: `echo run >>runs; echo "${said}" >&2; exit 1` })
    server.close()
    expect(readFileSync(folder.file('runs'), 'utf8')).toBe('run\n')
  })

  it('notices a prevented write in the middle of a long output', async () => {
    const { exec } = await openShell()
    const noise = 'for n in $(seq 4000); do echo noise-noise-noise >&2; done'
    const result = await exec({ command: `${noise}; touch /usr/x; ${noise}` })
    expect(outputOf(result).stderr).not.toContain('/usr/x')
    expect(outputOf(result)).toMatchObject({
      violations: [{ kind: 'write', message: expect.stringContaining('/usr/x') }],
    })
  })

  it('[AT-INTER-05] [AR-CALL-08] records its profile, its ids and every violation', async () => {
    const { exec, crib } = await openShell()
    const result = await exec({ command: 'touch /usr/x; true', timeout_ms: 5000 })
    const id = result.invocation_id
    const story = (await crib.story(id))!
    expect(story.invocation.toolcrib?.['execution']).toMatchObject({
      mapping: {
        source: 'cli',
        command_id: `command_${id}`,
        argv_ref: `toolcrib://invocations/${id}`,
        env_policy_ref: 'tool:tool_shell_exec',
        sandbox_ref: 'workspace_shell_sandbox',
        timeout_ms: 5000,
      },
      sandbox: { profile: 'workspace_shell_sandbox', kind: 'bubblewrap' },
      violations: [{ kind: 'write' }],
    })
    expect(result.toolcrib?.['native']).toMatchObject({
      source: 'cli',
      exit_code: 0,
      signal: null,
      stdout_ref: `toolcrib://invocations/${id}/output`,
    })
    for (const ref of [
      `toolcrib://invocations/${id}`,
      'tool:tool_shell_exec',
      `toolcrib://invocations/${id}/output`,
    ])
      expect(await crib.resolveRef(ref)).toBeDefined()
    expect(story.progress.at(-1)?.toolcrib).toMatchObject({ exit_code: 0, timeout_ms: 5000 })
  })

  it('fails by its exit code, or answers by it', async () => {
    const { exec } = await openShell()
    expect(await exec({ command: 'grep x /dev/null' })).toMatchObject({ status: 'succeeded' })
    expect(await exec({ command: 'exit 7' })).toMatchObject({
      is_error: true,
      error: { error_code: 'toolcrib.exit_code' },
    })
    expect(outputOf(await exec({ command: 'kill -9 $$' })).exit_code).toBe(137)
  })

  it('ends with everything that it started when its time is over', async () => {
    const { exec, folder } = await openShell()
    const command = '(sleep 2; echo late >late) & sleep 60'
    expect(await exec({ command, timeout_ms: 1000 })).toMatchObject({ status: 'timed_out' })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(existsSync(folder.file('late'))).toBe(false)
  })

  it('runs in the background with a task id, and is ended by it', async () => {
    const { exec, crib } = await openShell()
    const receipt = await exec({ command: 'echo on; sleep 60', run_in_background: true })
    expect(receipt.toolcrib).toMatchObject({ receipt: true, task_id: receipt.invocation_id })
    const task = crib.task(receipt.invocation_id)
    await until(async () => (await task.status()) === 'running', 'the command runs')
    await task.cancel()
    expect(await task.result()).toMatchObject({ status: 'canceled' })
    const { invocation } = (await crib.story(receipt.invocation_id))!
    expect(invocation.toolcrib?.['execution']).toMatchObject({
      mapping: { background_task_id: receipt.invocation_id },
    })
  })

  it('has its beginning and its end in the result, and all of it in the store', async () => {
    const { exec, crib } = await openShell()
    const result = await exec({ command: 'seq 1 200000' })
    const { stdout } = outputOf(result)
    expect(stdout.startsWith('1\n2\n')).toBe(true)
    expect(stdout.endsWith('199999\n200000\n')).toBe(true)
    expect(stdout.length).toBeLessThan(20_000)
    const text = JSON.stringify(result.model_facing_content)
    expect(text.length).toBeLessThan(32_000)
    const page = await crib.read(result.persisted_payload_ref!.uri!, { by: 'lines', from: 100_000, count: 2 })
    expect(JSON.stringify(page)).toContain('100000')
  })
})

describe.skipIf(why !== undefined)('without a sandbox', () => {
  it('ends processes that left the group of the command', async () => {
    const { exec, folder } = await openShell({ sandbox: 'off' })
    const command = 'setsid sh -c "echo on >on; sleep 1.5; echo late >late" & sleep 60'
    expect(await exec({ command, timeout_ms: 1000 })).toMatchObject({ status: 'timed_out' })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect([existsSync(folder.file('on')), existsSync(folder.file('late'))]).toEqual([true, false])
  })

  it('runs a command that is proven to only read in the read-only sandbox all the same', async () => {
    const { exec, crib } = await openShell({ sandbox: 'off' })
    const profileOf = async (command: string): Promise<unknown> => {
      const { invocation_id: id } = await exec({ command })
      const { invocation } = (await crib.story(id))!
      return (invocation.toolcrib!['execution'] as { sandbox: { profile: string } }).sandbox.profile
    }
    expect(await profileOf('cat /dev/null')).toBe('read_only_shell_sandbox')
    expect(await profileOf('touch x')).toBe('none')
  })
})

describe('where there is no sandbox', () => {
  it('a command does not run if the config requires one', async () => {
    // A PATH without bubblewrap, in a process of its own: the sandbox of this process may be known already.
    const { execFileSync } = await import('node:child_process')
    const script = `
      import { createCrib, memoryStore } from 'toolcrib'
      import { builtinSource } from 'toolcrib/builtins'
      process.env.PATH = process.argv[1]
      const crib = await createCrib({ store: memoryStore(), decider: () => ({ behavior: 'allow' }),
        sources: [builtinSource('shell', { sandbox: 'required', env: { PATH: '/usr/bin:/bin' } })] })
      const surface = await crib.surface()
      const result = await crib.call(surface, { name: 'tool_shell_exec', input: { command: 'touch x' } })
      console.log(JSON.stringify(result.error))
      await crib.close()`
    const text = execFileSync(process.execPath, ['--input-type=module', '-e', script, '/nowhere'], {
      encoding: 'utf8',
    })
    expect(JSON.parse(text)).toMatchObject({ error_class: 'setup_required' })
    expect(text).toContain('install')
  })
})

describe.skipIf(why !== undefined)('the network', () => {
  it('is off, or leads to listed hosts only', async () => {
    const server = createServer((_, answer) => answer.end('reached'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const fetchIt = (url: string): string =>
      `node -e 'require("node:http").get({host:"127.0.0.1",port:3128,path:"${url}"},r=>r.pipe(process.stdout)).on("error",e=>console.log(e.code))'`
    try {
      const off = await openShell()
      const refused = await off.exec({ command: fetchIt(`http://localhost:${port}/`) })
      expect(outputOf(refused).stdout).toBe('ECONNREFUSED\n')
      const on = await openShell({ network: [`localhost:${port}`] })
      const reached = await on.exec({ command: fetchIt(`http://localhost:${port}/`) })
      expect(outputOf(reached).stdout).toBe('reached')
      const other = await on.exec({ command: fetchIt(`http://127.0.0.1:${port}/`) })
      expect(outputOf(other)).toMatchObject({ violations: [{ kind: 'network' }] })
    } finally {
      server.close()
    }
  })
})

describe.skipIf(why !== undefined)('output that attacks', () => {
  it('is ended where it never ends', async () => {
    const { exec, crib } = await openShell()
    const result = await exec({ command: 'yes', timeout_ms: 120_000 })
    expect(result).toMatchObject({ is_error: true, error: { error_class: 'execution_failed' } })
    expect(JSON.stringify(result).length).toBeLessThan(20_000)
    const { invocation } = (await crib.story(result.invocation_id))!
    expect(invocation.toolcrib?.['execution']).toMatchObject({ violations: [{ kind: 'limit' }] })
  })

  it('reaches no terminal with its escape sequences', async () => {
    const folder = openTemporaryFolder()
    trustConfig(folder.write('toolcrib.yaml', 'builtins: [shell]\n'))
    const inTerminal = (command: string): string =>
      spawnSync('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
        cwd: folder.path,
        encoding: 'utf8',
        input: '',
        env: { ...process.env, SHELL: '/bin/sh' },
      }).stdout
    const attack = String.raw`printf "\033]0;owned\007"`
    expect(inTerminal(attack)).toContain('\u001B]0;owned')
    folder.write('attack', '\u001B]0;owned\u0007\n')
    const shown = inTerminal(`${process.execPath} ${MAIN} call shell.exec command='cat attack'`)
    expect(shown).toContain('owned')
    expect(shown).not.toContain('\u001B]0;owned')
  })
})
