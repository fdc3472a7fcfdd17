import { parentPort, workerData } from 'node:worker_threads'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import type { CodeAnswer, CodeOrder, CodeProblem, CodeReply } from './code-messages.js'
import { PRELUDE } from './code-prelude.js'

// Runs in a thread of its own, which the host ends. The code sees no Node: it runs in QuickJS, inside WebAssembly.

const STACK_BYTES = 512 * 1024
const PAGES_PER_MB = 16
/** What the module needs for itself. */
const MODULE_PAGES = 16 * PAGES_PER_MB
/** The type of it is in the DOM's library, which a program for Node does not load. */
type MemoryOfModule = new (pages: { initial: number; maximum: number }) => NonNullable<CustomMemory>
type CustomMemory = Extract<Parameters<typeof newVariant>[1]['wasmMemory'], object>

const { code, memoryMb, timeoutMs } = workerData as CodeOrder

const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: MemoryOfModule } }).WebAssembly
// The memory of the module is the limit: QuickJS in WebAssembly cannot count the sizes of its own blocks.
const wasmMemory = new Memory({
  initial: MODULE_PAGES,
  maximum: MODULE_PAGES + memoryMb * PAGES_PER_MB,
})
const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(await loadVariant(), { wasmMemory }))
const runtime = quickjs.newRuntime()
runtime.setMaxStackSize(STACK_BYTES)

const vm = runtime.newContext()
const open = new Map<number, QuickJSDeferredPromise>()
let lastId = 0
const say = (reply: CodeReply): void => parentPort!.postMessage(reply)

const call = vm.newFunction('call', (name, json) => {
  const id = ++lastId
  const promise = vm.newPromise()
  open.set(id, promise)
  say({ kind: 'call', id, name: vm.getString(name), json: vm.getString(json) })
  return promise.handle
})
const log = vm.newFunction('log', (text) => {
  say({ kind: 'log', text: vm.getString(text) })
})
const prelude = vm.unwrapResult(vm.evalCode(PRELUDE, 'prelude.js'))
const host = vm.unwrapResult(vm.callFunction(prelude, vm.undefined, call, log))
const toText = vm.getProp(host, 'toText')

let usedMs = 0
let startedAt = 0
let isOutOfTime = false
runtime.setInterruptHandler(() => {
  isOutOfTime ||= usedMs + performance.now() - startedAt > timeoutMs
  return isOutOfTime
})

/** The types of the package are those of its CommonJS build. */
async function loadVariant(): Promise<QuickJSSyncVariant> {
  const loaded: unknown = await import('@jitl/quickjs-wasmfile-release-sync')
  return (loaded as { default: QuickJSSyncVariant }).default
}

/** Counts the time that a piece of the code takes. */
function compute(work: () => void): void {
  startedAt = performance.now()
  try {
    work()
  } finally {
    usedMs += performance.now() - startedAt
  }
}

let result: QuickJSHandle | undefined

function start(): void {
  // On one line with the code, so that line numbers are those of the code.
  const begun = vm.evalCode(`(async () => {${code}\n})()`, 'code.js')
  if (begun.error) return fail(vm, begun.error, 'syntax')
  result = begun.value
  runJobs()
}

function runJobs(): void {
  const done = runtime.executePendingJobs()
  if (done.error) return fail(done.error.context ?? vm, done.error, 'thrown')
  const state = vm.getPromiseState(result!)
  switch (state.type) {
    case 'rejected':
      return fail(vm, state.error, 'thrown')
    case 'fulfilled':
      return finish(state.value)
    case 'pending':
      if (isOutOfTime) return end('time', '')
      if (open.size === 0) end('stuck', '')
      return
  }
}

function finish(value: QuickJSHandle): void {
  const text = vm.callFunction(toText, vm.undefined, value)
  if (text.error) return fail(vm, text.error, 'not_json')
  const isNone = vm.typeof(text.value) === 'undefined'
  say({ kind: 'value', json: isNone ? undefined : vm.getString(text.value) })
}

function fail(context: QuickJSContext, thrown: QuickJSHandle, problem: CodeProblem): void {
  if (isOutOfTime) return end('time', '')
  const { name = 'Error', message = '', stack = '' } = describe(context.dump(thrown))
  if (name === 'InternalError' && /out of memory/.test(message)) return end('memory', '')
  const place = /code\.js:(\d+)/.exec(stack)?.[1]
  const shown = message === '' ? name : `${name}: ${message}`
  end(problem, place === undefined ? shown : `${shown} (line ${place})`)
}

function describe(thrown: unknown): { name?: string; message?: string; stack?: string } {
  if (typeof thrown === 'object' && thrown !== null) return thrown
  return { name: 'Thrown', message: String(thrown) }
}

function end(problem: CodeProblem, message: string): void {
  say({ kind: 'problem', problem, message })
}

function settle({ id, json }: CodeAnswer): void {
  const promise = open.get(id)
  open.delete(id)
  vm.newString(json).consume((text) => promise!.resolve(text))
  runJobs()
}

function turn(work: () => void): void {
  compute(work)
  say({ kind: 'idle', usedMs })
}

parentPort!.on('message', (answer: CodeAnswer) => turn(() => settle(answer)))
say({ kind: 'ready' })
turn(start)
