import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRunning } from '../../is-running.js'
import { hasScript, onTerminal } from './on-terminal.js'
import { collect, createPlace, expectRecord, type Place } from './run-cli.js'

async function echo(place: Place, ...args: string[]): Promise<unknown> {
  const { stdout, stderr } = await place.run(['call', 'test.echo', ...args])
  return stdout === '' ? stderr : (JSON.parse(stdout) as unknown)
}

describe('toolcrib call: input', () => {
  it('reads values by the types of the schema', async () => {
    const place = createPlace()
    expect(await echo(place, 'text=1', 'number=-1.5', 'whole=7', 'flag=true', 'list=["a"]')).toEqual({
      text: '1',
      number: -1.5,
      whole: 7,
      flag: true,
      list: ['a'],
    })
    expect(await echo(place, 'object.deep=3', 'either=null', 'other=5', 'forced:={"a":[1]}')).toEqual({
      object: { deep: 3 },
      either: null,
      other: '5',
      forced: { a: [1] },
    })
    expect(await echo(place, 'text=a=b')).toEqual({ text: 'a=b' })
  })

  it('waits for slow input', async () => {
    const child = createPlace().start(['call', 'test.echo', '--input', '-'])
    const ended = collect(child)
    child.stdin!.write('{"text": ')
    setTimeout(() => child.stdin!.end('"x"}'), 500)
    const { code, stdout } = await ended
    expect({ code, value: JSON.parse(stdout) as unknown }).toEqual({ code: 0, value: { text: 'x' } })
  })

  it.skipIf(!hasScript)('an input can be typed, and a question may follow', async () => {
    const place = createPlace()
    for (const keys of ['{"a": 1,\r"b": 2}\r\u0004', '{"a": 1, "b": 2}\u0004']) {
      const { code, text } = await onTerminal(place, 'call math.add --input - --ask "math.*"', {
        typed: [
          [/Type JSON, then Ctrl-D\./, keys],
          [/\[y\/N\]/, 'y\r'],
        ],
      })
      expect({ code, text }).toMatchObject({ code: 0, text: expect.stringContaining('{"sum":3}') })
    }
    const left = await onTerminal(place, 'call math.add --input -', { typed: [[/Ctrl-D\./, '\u0003']] })
    expect(left).toMatchObject({ code: 130, text: expect.stringContaining('nothing was called') })
  })

  it('reads the whole input from --input, stdin or a file', async () => {
    const place = createPlace()
    const file = place.write('input.json', '{"text": "from a file"}')
    expect(await echo(place, '--input', '{"text": "inline"}')).toEqual({ text: 'inline' })
    expect(await echo(place, '--input', `@${file}`)).toEqual({ text: 'from a file' })
    const { stdout } = await place.run(['call', 'test.echo', '-i', '-'], { input: '{"text": "stdin"}' })
    expect(JSON.parse(stdout)).toEqual({ text: 'stdin' })
  })

  it('refuses invalid input before anything runs, without repeating it', async () => {
    const place = createPlace()
    const wrong = [
      ['--input', '{"secret": "hunter22", bad}'],
      ['--input', '@nowhere.json'],
      ['--input', ''],
      ['--input', '{}', 'a=1'],
      ['list=[1'],
      ['forced:=nope'],
      ['word'],
      ['a=1', 'a=2'],
    ]
    for (const args of wrong) {
      const { code, stdout, stderr } = await place.run(['call', 'test.echo', ...args])
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' })
      expect(stderr.trim()).toMatch(/^[A-Z"n].*\.$/)
      expect(stderr).not.toContain('hunter22')
    }
    expect(existsSync(place.storeFile), 'nothing was called').toBe(false)
  })
})

describe('toolcrib call: result', () => {
  it('prints the content for the model, and nothing else where there is no terminal', async () => {
    expect(await createPlace().run(['call', 'math.add', 'a=1', 'b=2'])).toEqual({
      code: 0,
      stdout: '{"sum":3}\n',
      stderr: '',
    })
  })

  it('--json prints the result record, of failures too', async () => {
    const place = createPlace()
    const good = await place.run(['call', 'math.add', 'a=1', 'b=2', '--json'])
    expect(good.code).toBe(0)
    expectRecord('tool_result', JSON.parse(good.stdout))
    const bad = await place.run(['call', 'test.fail', '--json'])
    expect(bad.code).toBe(1)
    expectRecord('tool_result', JSON.parse(bad.stdout))
    expect(JSON.parse(bad.stdout)).toMatchObject({
      is_error: true,
      error: { error_class: 'execution_failed' },
    })
  })

  it('prints an error on stderr: a sentence for the person, then the technical facts', async () => {
    const place = createPlace()
    expect(await place.run(['call', 'test.fail'])).toEqual({
      code: 1,
      stdout: '',
      stderr: '"fail" failed. It is safe to try again.\ntoolcrib.execution_failed: The drill is broken.\n',
    })
    const refused = await place.run(['call', 'math.add', 'a=one', 'b=2'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('/a must be a number')
  })

  it('prints the output of a command, whether it failed or only found nothing', async () => {
    const place = createPlace()
    const failed = await place.run(['call', 'test.shell', 'command=echo some; cat missing'])
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('exit code 1') })
    expect(JSON.parse(failed.stdout)).toMatchObject({ exit_code: 1, stdout: 'some\n' })
    const empty = await place.run(['call', 'test.shell', 'command=echo some | grep other'])
    expect(empty).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(empty.stdout)).toEqual({ exit_code: 1, stdout: '', stderr: '' })
  })

  it('treats an unknown tool as a mistake of the user', async () => {
    const { code, stderr } = await createPlace().run(['call', 'math.ad', 'a=1'])
    expect(code).toBe(2)
    expect(stderr).toContain('did you mean "math.add"?')
  })

  it('writes output into a pipe unchanged, and names blocks that are no text', async () => {
    const place = createPlace()
    expect((await place.run(['call', 'test.rude'])).stdout).toBe(
      'before\u001B]0;title\u0007after\tend\nnext\n',
    )
    expect((await place.run(['call', 'test.image'])).stdout).toMatch(/^\[image, (?:[\w/+]+, )?\d+ bytes\]\n$/)
  })

  it('prints progress only with --verbose where there is no terminal', async () => {
    const place = createPlace()
    const args = ['call', 'slow.count', 'to=2', 'stepMs=1']
    expect((await place.run(args)).stderr).toBe('')
    expect((await place.run([...args, '--verbose'])).stderr).toContain(
      '50 %  counted 1 of 2'.replace('  ', ' '),
    )
  })
})

describe('toolcrib call: approval', () => {
  it('rejects a call that needs approval without an approver, and prints how to approve it', async () => {
    const place = createPlace()
    const { code, stderr } = await place.run(['call', 'test.touch', 'path=made', 'secret=hunter22'])
    expect(code).toBe(1)
    expect(stderr).toContain('--yes')
    expect(existsSync(join(place.folder, 'made'))).toBe(false)
  })

  it('runs it with --yes, and the record names the approver', async () => {
    const place = createPlace()
    const { code } = await place.run(['call', 'test.touch', 'path=made', 'secret=hunter22', '--yes'])
    expect(code).toBe(0)
    expect(existsSync(join(place.folder, 'made'))).toBe(true)
    expect((await place.run(['show', 'last'])).stdout).toMatch(/allowed by toolcrib\.approver \(.*--yes\)/)
  })

  it('neither prints nor stores a sensitive value', async () => {
    const place = createPlace()
    const secret = 'correct-horse-battery'
    const said = [
      await place.run(['call', 'vault.login', 'user=ada', `password=${secret}`]),
      await place.run(['call', 'vault.login', 'user=ada', `password=${secret}`, '--json']),
      await place.run(['call', 'test.touch', 'path=made', `secret=${secret}`, '--yes']),
      await place.run(['call', 'test.touch', 'path=made', `secret=${secret}`]),
      await place.run(['call', 'vault.login', 'user:=1', `password=${secret}`]),
      await place.run(['show', 'last']),
      await place.run(['log', '--events', '--json', '-n', '500']),
    ]
    for (const { stdout, stderr } of said) expect(stdout + stderr).not.toContain(secret)
    expect(said[0]!.stdout).toContain('[redacted]')
    const home = join(place.folder, 'home')
    const kept = readdirSync(home).map((name) => readFileSync(join(home, name)))
    expect(kept.length).toBeGreaterThan(0)
    for (const bytes of kept) expect(bytes.includes(secret)).toBe(false)
  })
})

describe('toolcrib call: signals', () => {
  it('the first signal cancels the call, with a recorded result', async () => {
    const place = createPlace()
    const child = place.start(['call', 'slow.count', 'to=500', 'stepMs=20', '--verbose'])
    child.stderr!.once('data', () => child.kill('SIGINT'))
    const { code, stderr } = await collect(child)
    expect(code).toBe(130)
    expect(stderr).toContain('The call was stopped')
    const { stdout } = await place.run(['show', 'last', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      invocation: { status: 'canceled', cancel_requested: true, cancel_acknowledged: true },
    })
  })

  it('the second signal exits at once', async () => {
    const place = createPlace()
    const child = place.start(['call', 'test.deaf'])
    await expect.poll(() => existsSync(join(place.folder, 'started')), { timeout: 10_000 }).toBe(true)
    child.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const before = Date.now()
    child.kill('SIGINT')
    expect((await collect(child)).code).toBe(130)
    expect(Date.now() - before).toBeLessThan(1_500)
  })

  it('does not wait for a tool that ignores its cancellation', async () => {
    const place = createPlace()
    const child = place.start(['call', 'test.deaf'])
    await expect.poll(() => existsSync(join(place.folder, 'started')), { timeout: 10_000 }).toBe(true)
    child.kill('SIGINT')
    const { code, stderr } = await collect(child)
    expect(code).toBe(130)
    expect(stderr).toContain('did not stop')
  })

  it('a signal also ends a command that waits for a server, and the server', async () => {
    const silent = `require('fs').writeFileSync('pid', String(process.pid)); process.stdin.resume()`
    const entry = { command: process.execPath, args: ['-e', silent] }
    const interrupt = async (signal: NodeJS.Signals): Promise<number | null> => {
      const place = createPlace(JSON.stringify({ mcpServers: { silent: entry } }))
      const child = place.start(['servers'])
      const ended = collect(child)
      const file = join(place.folder, 'pid')
      const pid = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0)
      await expect.poll(pid, { timeout: 10_000 }).toBeGreaterThan(0)
      child.kill(signal)
      const { code } = await ended
      await expect.poll(() => isRunning(pid()), { timeout: 15_000 }).toBe(false)
      return code
    }
    expect(await Promise.all([interrupt('SIGINT'), interrupt('SIGTERM')])).toEqual([130, 143])
  })
})
