import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { defineTool, type Decider } from 'toolcrib'
import { temporaryFolder } from '../temporary-folder.js'
import { onBothStores, openCrib, shownText } from './open-crib.js'

const input = {
  jsonSchema: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
} as const

onBothStores(
  '[AT-SCEN-04] acceptance scenario 4: unsafe values are refused before any access',
  (newStore) => {
    async function openReader({ decider, denyBeforeIo }: { decider?: Decider; denyBeforeIo?: boolean } = {}) {
      const workspace = temporaryFolder()
      writeFileSync(join(workspace, 'present.txt'), 'here')
      const preflight = vi.fn(({ path }: { path: string }) =>
        existsSync(path) ? undefined : `There is no file ${path}.`,
      )
      const execute = vi.fn(() => 'read')
      const read = defineTool({
        namespace: 'local.files',
        name: 'read_file',
        kind: 'file_operation',
        description: 'Reads a file.',
        input,
        paths: { path: 'read' },
        isReadOnly: true,
        isOpenWorld: false,
        ...(denyBeforeIo !== undefined && { denyBeforeIo }),
        // Answers the same for the path as it was given and for the absolute path.
        validate: ({ path }) => (path.startsWith(workspace) ? undefined : 'The path leaves the workspace.'),
        preflight,
        execute,
      })
      const crib = await openCrib({
        store: newStore(),
        tools: [read],
        workspace,
        ...(decider && { decider }),
      })
      const surface = await crib.surface({ scope: 'turn' })
      const call = (name: string) =>
        crib.call(surface, { name: 'read_file', input: { path: join(workspace, name) } })
      return { crib, surface, workspace, preflight, execute, call }
    }

    it('values are rejected before the preflight can access a file', async () => {
      const { crib, surface, preflight, execute } = await openReader()
      const call = crib.call(surface, { name: 'read_file', input: { path: '/x/../etc/passwd' } })
      expect(await call).toMatchObject({
        status: 'failed',
        is_error: true,
        error: { error_class: 'invalid_arguments', message: 'The path leaves the workspace.' },
      })
      expect(preflight).not.toHaveBeenCalled()
      expect(execute).not.toHaveBeenCalled()
      const invocation = (await crib.invocation(call.invocationId))!
      expect(invocation.status).toBe('validation_failed')
      expect(invocation).not.toHaveProperty('started_at')
    })

    it('the preflight rejects before the executor runs', async () => {
      const { preflight, execute, call } = await openReader()
      expect(await call('absent.txt')).toMatchObject({ error: { error_class: 'invalid_arguments' } })
      expect(preflight).toHaveBeenCalledOnce()
      expect(execute).not.toHaveBeenCalled()
      expect(await call('present.txt')).toMatchObject({ status: 'succeeded' })
      expect(execute).toHaveBeenCalledOnce()
    })

    it('[AT-PERM-04] deny comes before access: a probe cannot distinguish existing files from missing ones', async () => {
      const decider: Decider = () => ({
        behavior: 'deny',
        source: 'project_settings',
        reason: { type: 'rule', rule_ref: 'rule:no-files', message: 'Files are off limits.' },
      })
      const { crib, preflight, execute, call } = await openReader({ decider })
      const present = call('present.txt')
      const absent = call('absent.txt')
      const results = [await present, await absent]
      for (const result of results) {
        expect(result).toMatchObject({ status: 'denied', is_error: true })
        expect(shownText(result)).toMatch(/^The call was denied: Files are off limits\.\n/)
      }
      expect(results[0]!.error).toEqual(results[1]!.error)
      expect(preflight).not.toHaveBeenCalled()
      expect(execute).not.toHaveBeenCalled()
      const stories = [await crib.story(present.invocationId), await crib.story(absent.invocationId)]
      const traces = stories.map((story) => story!.invocation.status_transitions!.map(({ to }) => to))
      expect(traces[0]).toEqual(traces[1])
      for (const story of stories) expect(story!.decisions).toMatchObject([{ behavior: 'deny' }])
    })

    it('a tool may run the preflight first, and its interface says so', async () => {
      const { preflight, call } = await openReader({
        decider: () => ({ behavior: 'deny' }),
        denyBeforeIo: false,
      })
      expect(await call('present.txt')).toMatchObject({ status: 'denied' })
      expect(preflight).toHaveBeenCalledOnce()
    })

    it('a check may return another class, and one that throws has not agreed', async () => {
      const execute = vi.fn(() => 'done')
      const tool = (name: string, validate: () => never | object) =>
        defineTool({
          name,
          description: 'Checks.',
          isReadOnly: true,
          isOpenWorld: false,
          validate: validate as unknown as () => undefined,
          execute,
        })
      const crib = await openCrib({
        store: newStore(),
        tools: [
          tool('outside', () => ({ errorClass: 'sandbox_violation', message: 'Outside of the sandbox.' })),
          tool('bare', () => ({ errorClass: 'setup_required', message: 'Log in first.' })),
          tool('broken', () => {
            throw new Error('the check broke')
          }),
          tool('listing', () => [{ path: '/a', message: 'is not allowed' }]),
        ],
      })
      const surface = await crib.surface({ scope: 'turn' })
      const classOf = async (name: string) => (await crib.call(surface, { name })).error?.error_class
      expect(await classOf('outside')).toBe('sandbox_violation')
      expect(await classOf('bare')).toBe('setup_required')
      expect(await classOf('broken')).toBe('invalid_arguments')
      expect(await classOf('listing')).toBe('invalid_arguments')
      expect(execute).not.toHaveBeenCalled()
    })
  },
)
