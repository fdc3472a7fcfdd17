import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { commandHook, createCrib, defineTool, memoryStore, type CommandHookOptions } from 'toolcrib'
import { temporaryFolder } from '../temporary-folder.js'
import { makeCall, printing, program } from './make-call.js'
import { isRunning } from '../is-running.js'
import { versionOf } from '../crib/records/version-of.js'

const gate = (more: Partial<CommandHookOptions> & { command: string }) =>
  commandHook({ id: 'gate', event: 'pre_tool_use', ...more })

const shell = (line: string, more: Partial<CommandHookOptions> = {}) =>
  gate({ command: line, shell: true, ...more })

/** Also retries where the condition throws: the file that it reads may not be there yet. */
const untilHolds = (test: () => boolean) =>
  vi.waitFor(() => expect(test()).toBe(true), { timeout: 20_000, interval: 5 })

describe('the input of a command', () => {
  it('is the call as JSON on stdin, with the field names of coding agents', async () => {
    const file = join(temporaryFolder(), 'seen.json')
    const { story } = await makeCall([gate({ command: `cat > '${file}'`, shell: true })], {
      input: { path: 'a.txt' },
      actor: 'agent:1',
      workspace: '/tmp',
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      session_id: 's1',
      cwd: '/tmp',
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'files.write',
      tool_id: 'files.write',
      tool_input: { path: 'a.txt' },
      tool_use_id: 'call_7',
      invocation_id: story.invocation.invocation_id,
      actor: 'agent:1',
    })
  })

  it.each([
    ['post_tool_use', { hook_event_name: 'PostToolUse', tool_response: { done: true } }],
    [
      'permission_decision',
      { hook_event_name: 'PermissionDecision', permission_decision: { behavior: 'allow' } },
    ],
    ['result_persistence', { hook_event_name: 'ResultPersistence', tool_response: { done: true } }],
  ] as const)('at %s also has the outcome so far', async (event, expected) => {
    const file = join(temporaryFolder(), 'seen.json')
    await makeCall([commandHook({ id: 'h', event, command: `cat > '${file}'`, shell: true })])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(expected)
  })

  it('at post_tool_use_failure has the error, and the input that ran', async () => {
    const file = join(temporaryFolder(), 'seen.json')
    const hooks = [
      gate(printing({ hookSpecificOutput: { updatedInput: { path: 'b.txt' } } })),
      commandHook({ id: 'h', event: 'post_tool_use_failure', command: `cat > '${file}'`, shell: true }),
    ]
    await makeCall(hooks, {
      input: { path: 'a.txt' },
      execute: () => {
        throw new Error('the disk is full')
      },
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      hook_event_name: 'PostToolUseFailure',
      tool_input: { path: 'b.txt' },
      error: 'the disk is full',
      error_class: 'execution_failed',
      is_interrupt: false,
    })
  })

  it('may be large, and need not be read', async () => {
    const input = { text: 'x'.repeat(5_000_000) }
    const counting = program(
      `process.stdout.write(JSON.stringify({ systemMessage: String(input.tool_input.text.length) }))`,
    )
    const read = await makeCall([gate(counting)], { input })
    expect(read.story.hooks[0]!.outputs).toEqual([{ type: 'message', text: '5000000' }])
    const unread = await makeCall([shell('exec true')], { input })
    expect(unread.story.hooks[0]!.toolcrib).toMatchObject({ outcome: 'completed', exit_code: 0 })
    expect(unread.result.status).toBe('succeeded')
  })

  it('the environment is a short list with the additions of the definition', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'do-not-leak')
    vi.stubEnv('HOOK_TOKEN', 'token-of-this-process')
    onTestFinished(() => void vi.unstubAllEnvs())
    const folder = temporaryFolder()
    const { story } = await makeCall([
      shell(`env > '${folder}/env'; pwd > '${folder}/pwd'`, {
        env: { LEVEL: 'high', TOKEN: '${HOOK_TOKEN}' },
        cwd: folder,
      }),
    ])
    const names = readFileSync(join(folder, 'env'), 'utf8')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => line.split('=')[0]!)
    // A shell sets some variables of its own.
    const own = ['PWD', 'OLDPWD', 'SHLVL', '_']
    const allowed = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR', 'LEVEL', 'TOKEN', 'TOOLCRIB_INVOCATION']
    expect(names.filter((name) => ![...own, ...allowed].includes(name))).toEqual([])
    const env = readFileSync(join(folder, 'env'), 'utf8')
    expect(env).toContain('LEVEL=high')
    expect(env).toContain('TOKEN=token-of-this-process')
    expect(env).toContain(`TOOLCRIB_INVOCATION=${story.invocation.invocation_id}`)
    expect(readFileSync(join(folder, 'pwd'), 'utf8').trim()).toBe(folder)
  })

  it('without a shell, an argument is only an argument', async () => {
    const folder = temporaryFolder()
    const { story } = await makeCall([gate({ command: 'echo', args: [`{}; touch '${folder}/made'`] })])
    expect(existsSync(join(folder, 'made'))).toBe(false)
    expect(story.hooks[0]!.toolcrib).toMatchObject({ outcome: 'failed' })
  })
})

describe('how a command ends', () => {
  it('with 0 and no output: it has no effect', async () => {
    const { result, story } = await makeCall([shell('cat > /dev/null')])
    expect(result.status).toBe('succeeded')
    expect(story.hooks).toMatchObject([
      { hook_id: 'gate', toolcrib: { outcome: 'completed', transport: 'command', exit_code: 0 } },
    ])
    expect(story.hooks[0]).not.toHaveProperty('outputs')
    expect(result.toolcrib).not.toHaveProperty('hook_problem')
  })

  it('with 2: the call is denied, and stderr is the reason', async () => {
    const { result, story, executions } = await makeCall([shell('echo "not on my watch" >&2; exit 2')])
    expect(result).toMatchObject({ status: 'denied', error: { error_class: 'permission_denied' } })
    expect(result.error!.message).toContain('not on my watch')
    expect(story.hooks).toMatchObject([
      {
        permission_result: { behavior: 'deny', message: 'not on my watch' },
        toolcrib: { outcome: 'blocked', exit_code: 2 },
      },
    ])
    expect(executions).toBe(0)
  })

  it.each([
    ['post_tool_use', () => ({ done: true }), 'succeeded'],
    [
      'post_tool_use_failure',
      () => {
        throw new Error('no')
      },
      'failed',
    ],
  ] as const)('with 2 at %s: stderr is feedback for the model', async (event, execute, status) => {
    const hook = commandHook({ id: 'h', event, command: 'echo "run the linter" >&2; exit 2', shell: true })
    const { result, story } = await makeCall([hook], { execute })
    expect(result.status).toBe(status)
    expect(result.toolcrib!['additional_context']).toEqual(['run the linter'])
    expect(story.hooks[0]!.toolcrib).toMatchObject({ outcome: 'completed', exit_code: 2 })
  })

  it.each<[string, Partial<CommandHookOptions> & { command: string }, RegExp]>([
    ['exit code 1', { command: 'echo oops >&2; exit 1', shell: true }, /exit code 1: oops\./],
    ['exit code 3', { command: 'exit 3', shell: true }, /exit code 3\./],
    ['exit code 127', { command: 'no-such-program-anywhere 2>/dev/null', shell: true }, /exit code 127/],
    ['a signal', { command: 'kill -KILL $$', shell: true }, /ended by SIGKILL/],
    ['SIGTERM of its own', { command: 'kill -TERM $$', shell: true }, /ended by SIGTERM/],
    [
      'no such program',
      { command: 'no-such-program-anywhere' },
      /there is no program "no-such-program-anywhere"/,
    ],
    ['no such folder', { command: 'true', cwd: '/no/such/folder' }, /or no folder \/no\/such\/folder/],
    ['a program that may not be run', { command: '/etc/passwd' }, /cannot be started \(EACCES\)/],
    ['words', { command: 'echo all is well', shell: true }, /not JSON/],
    ['half of an answer', { command: `printf '{"continue": tr'`, shell: true }, /not JSON/],
    ['a list', { command: 'echo []', shell: true }, /no object/],
    ['null', { command: 'echo null', shell: true }, /no object/],
    ['bytes that are no text', { command: `printf '{"systemMessage": "\\377"}'`, shell: true }, /not UTF-8/],
    ['a field of the wrong kind', printing({ continue: 'no' }), /"continue", which must be true or false/],
    [
      'a decision that there is not',
      printing({ hookSpecificOutput: { permissionDecision: 'Deny' } }),
      /permissionDecision", which must be "allow" or "ask"/,
    ],
    [
      'an answer for another event',
      printing({ hookSpecificOutput: { hookEventName: 'PostToolUse', permissionDecision: 'deny' } }),
      /answered for the event "PostToolUse"/,
    ],
    ['too much', { command: 'yes', args: [] }, /printed more than 1000000 bytes/],
    ['too much on stderr', { command: 'yes >&2', shell: true }, /printed more than 1000000 bytes/],
    [
      'a variable that is not set',
      { command: 'true', env: { TOKEN: '${NO_SUCH_VARIABLE_HERE}' } },
      /needs the variable NO_SUCH_VARIABLE_HERE for "TOKEN"/,
    ],
  ])('with %s: a failing hook asks', async (_what, command, problem) => {
    const { result, story, asked, executions } = await makeCall([gate(command)], { approves: true })
    expect(story.hooks[0]!.toolcrib).toMatchObject({ outcome: 'failed', transport: 'command' })
    expect(story.hooks[0]!.toolcrib!['problem']).toMatch(problem)
    expect({ status: result.status, asked, executions }).toEqual({
      status: 'succeeded',
      asked: 1,
      executions: 1,
    })
    expect(story.decisions[0]).toMatchObject({
      behavior: 'ask',
      reason: { type: 'hook', rule_ref: versionOf('hook:gate') },
    })
    const alone = await makeCall([gate(command)])
    expect({ status: alone.result.status, executions: alone.executions }).toEqual({
      status: 'rejected',
      executions: 0,
    })
  })

  it('by a timeout: the whole process group is gone before the call continues', async () => {
    const folder = temporaryFolder()
    // A child that the shell leaves in the background; both ignore SIGTERM.
    const line = `trap '' TERM; sh -c 'trap "" TERM; echo $$ > "${folder}/child"; while :; do sleep 1; done' & echo $$ > '${folder}/self'; wait`
    const { result, story } = await makeCall([shell(line, { timeoutMs: 2000 })], { approves: false })
    expect(result.status).toBe('rejected')
    expect(story.hooks[0]!.toolcrib).toMatchObject({
      outcome: 'timed_out',
      problem: 'The hook "gate" did not answer within 2000 ms.',
    })
    for (const name of ['self', 'child']) {
      const pid = Number(readFileSync(join(folder, name), 'utf8'))
      expect(pid).toBeGreaterThan(0)
      await untilHolds(() => !isRunning(pid))
    }
  })

  it('an answer during its termination is ignored', async () => {
    const line = `trap 'echo "{\\"hookSpecificOutput\\":{\\"permissionDecision\\":\\"allow\\"}}"; exit 0' TERM; while :; do sleep 0.01; done`
    const { result, story } = await makeCall([shell(line, { timeoutMs: 300 })], {
      decider: () => ({ behavior: 'passthrough' }),
    })
    expect(story.hooks[0]!.toolcrib).toMatchObject({ outcome: 'timed_out' })
    expect(result.status).toBe('rejected')
  })

  it('background processes end with it, and do not delay the call', async () => {
    const folder = temporaryFolder()
    const { result } = await makeCall([shell(`sleep 600 & echo $! > '${folder}/child'; echo '{}'`)])
    expect(result.status).toBe('succeeded')
    await untilHolds(() => !isRunning(Number(readFileSync(join(folder, 'child'), 'utf8'))))
  })

  it('a process that has left the group and holds its output does not delay the call', async ({ skip }) => {
    if (process.platform !== 'linux') skip('setsid is a program of Linux')
    const folder = temporaryFolder()
    const line = `setsid sh -c 'echo $$ > "${folder}/child"; exec sleep 600' & while ! [ -s '${folder}/child' ]; do sleep 0.01; done; echo '{}'`
    try {
      expect((await makeCall([shell(line)])).result.status).toBe('succeeded')
    } finally {
      process.kill(Number(readFileSync(join(folder, 'child'), 'utf8')), 'SIGKILL')
    }
  })

  it('a canceled call ends its hook', async () => {
    const folder = temporaryFolder()
    const controller = new AbortController()
    const making = makeCall([shell(`echo $$ > '${folder}/self'; sleep 600`)], { signal: controller.signal })
    await untilHolds(
      () => existsSync(join(folder, 'self')) && readFileSync(join(folder, 'self'), 'utf8').endsWith('\n'),
    )
    controller.abort()
    const { result, executions } = await making
    expect({ status: result.status, executions }).toEqual({ status: 'canceled', executions: 0 })
    await untilHolds(() => !isRunning(Number(readFileSync(join(folder, 'self'), 'utf8'))))
  })

  it('a process that exits ends its hooks', async () => {
    const folder = temporaryFolder()
    const line = `trap '' TERM; echo $$ > '${folder}/self'; while :; do sleep 1; done`
    const source = `
      import { existsSync, statSync } from 'node:fs'
      import { commandHook, createCrib, defineTool, memoryStore } from ${JSON.stringify(new URL('../../lib/index.js', import.meta.url).href)}
      const crib = await createCrib({
        store: memoryStore(),
        tools: [defineTool({ name: 'go', description: 'G.', execute: () => 1 })],
        hooks: [commandHook({ id: 'h', event: 'pre_tool_use', shell: true, command: ${JSON.stringify(line)} })],
      })
      crib.call(await crib.surface({ scope: 'turn' }), { name: 'go' })
      const file = ${JSON.stringify(join(folder, 'self'))}
      setInterval(() => existsSync(file) && statSync(file).size > 0 && process.exit(7), 5)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect(code).toBe(7)
    await untilHolds(() => {
      const pid = readFileSync(join(folder, 'self'), 'utf8')
      return pid !== '' && !isRunning(Number(pid))
    })
  })

  it('closing the crib ends a hook after a failure', async () => {
    const folder = temporaryFolder()
    const crib = await createCrib({
      store: memoryStore(),
      decider: () => ({ behavior: 'allow' }),
      tools: [
        defineTool({ name: 'slow', description: 'S.', timeoutMs: 20, execute: () => new Promise(() => {}) }),
      ],
      hooks: [
        commandHook({
          id: 'mourn',
          event: 'post_tool_use_failure',
          command: `echo $$ > '${folder}/self'; sleep 600`,
          shell: true,
        }),
      ],
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 'slow' })
    await untilHolds(
      () => existsSync(join(folder, 'self')) && readFileSync(join(folder, 'self'), 'utf8').endsWith('\n'),
    )
    await crib.close({ graceMs: 0 })
    expect((await call).status).toBe('timed_out')
    await untilHolds(() => !isRunning(Number(readFileSync(join(folder, 'self'), 'utf8'))))
  })
})

describe('hooks after a call', () => {
  it('get a timeout, although it aborted the call', async () => {
    const folder = temporaryFolder()
    const hook = commandHook({
      id: 'mourn',
      event: 'post_tool_use_failure',
      command: `cat > '${folder}/seen'; echo '{"systemMessage":"heard"}'`,
      shell: true,
    })
    const { result, story } = await makeCall([hook], {
      tool: { timeoutMs: 20 },
      execute: () => new Promise(() => {}),
    })
    expect(result.status).toBe('timed_out')
    expect(story.hooks).toMatchObject([{ outputs: [{ type: 'message', text: 'heard' }] }])
    expect(JSON.parse(readFileSync(join(folder, 'seen'), 'utf8'))).toMatchObject({ error_class: 'timeout' })
  })

  it('a failure appears in the record and in the result, and has no other effect', async () => {
    const { result, story } = await makeCall([
      commandHook({ id: 'after', event: 'post_tool_use', command: 'exit 1', shell: true }),
      commandHook({ id: 'too', event: 'post_tool_use', command: 'exit 7', shell: true }),
    ])
    expect(result).toMatchObject({ status: 'succeeded', structured_content: { done: true } })
    expect(result.toolcrib!['hook_problem']).toBe(
      'The hook "after" failed: it ended with exit code 1. The hook "too" failed: it ended with exit code 7.',
    )
    expect(story.hooks.map(({ toolcrib }) => toolcrib!['outcome'])).toEqual(['failed', 'failed'])
  })
})

describe('secrets', () => {
  it('of this process that a command repeats are in no record', async () => {
    vi.stubEnv('HOOK_TOKEN', 'token-of-this-process')
    onTestFinished(() => void vi.unstubAllEnvs())
    const hooks = [
      gate({
        ...program(
          `process.stdout.write(JSON.stringify({ systemMessage: 'has ' + process.env.TOKEN, hookSpecificOutput: { additionalContext: process.env.TOKEN } }))`,
        ),
        env: { TOKEN: '${HOOK_TOKEN}' },
      }),
      commandHook({
        id: 'late',
        event: 'post_tool_use',
        command: 'echo "$TOKEN" >&2; exit 1',
        shell: true,
        env: { TOKEN: '${HOOK_TOKEN}' },
      }),
    ]
    const { result, story } = await makeCall(hooks)
    expect(JSON.stringify([result, story])).not.toContain('token-of-this-process')
    expect(story.hooks[0]!.outputs![0]).toEqual({ type: 'message', text: 'has [redacted]' })
  })

  it('of the call that a command prints are in no record', async () => {
    const folder = temporaryFolder()
    const script = join(folder, 'tell.cjs')
    writeFileSync(
      script,
      `const { tool_input: { password } } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
       process.stderr.write('the password is ' + password); process.exit(1)`,
    )
    const hook = gate({ command: process.execPath, args: [script] })
    const { result, story } = await makeCall([hook], {
      input: { password: 'open-sesame-now' },
      tool: { sensitiveFields: ['password'] },
    })
    expect(JSON.stringify([result, story])).not.toContain('open-sesame-now')
    expect(story.hooks[0]!.toolcrib!['problem']).toContain('the password is [redacted]')
  })
})
