import { isKnown, tailOf, valueOf } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { literalInput } from '../detection/literal-output.js'
import { scanCode } from '../detection/scan-code.js'
import type { Trace } from '../detection/trace.js'
import { guessProgram } from './guess-program.js'
import { each, type Act, type EffectTable } from './usage.js'

interface Interpreter {
  /** Options whose value is code. */
  readonly code: string
  /** Options whose value is a file of code. */
  readonly files?: string
  /** Options with any other value. */
  readonly takes?: string
  /** The option before a module that is run like a program. */
  readonly modules?: string
  /** The option that changes the given files in place. */
  readonly inPlace?: RegExp
}

const NOT_FOLLOWED = 'It runs code that is not followed.'

export const nodeInterpreter = interpreter({
  code: '-e --eval -p --print -pe',
  files: '-r --require --import --loader --env-file --env-file-if-exists --experimental-loader',
  takes: '--input-type --conditions -C --inspect-port --max-old-space-size',
})

/** Programs that run code in another language: the code is not parsed, only scanned. */
export const interpreters: EffectTable = {
  ...each(
    'python python2 python3 pypy pypy3 ipython',
    interpreter({ code: '-c', modules: '-m', takes: '-W -X --check-hash-based-pycs' }),
  ),
  ...each('node nodejs tsx ts-node', nodeInterpreter),
  deno: interpreter({ code: '-e --eval', files: '--import-map --config' }),
  ruby: interpreter({ code: '-e', files: '-r', takes: '-I -F -E -C', inPlace: /^-[a-z]*i/ }),
  perl: interpreter({ code: '-e -E', takes: '-I -F -M -m', inPlace: /^-[a-zA-Z0-9]*i/ }),
  php: interpreter({ code: '-r -B -R -E', files: '-f -F', takes: '-d -c' }),
  ...each('lua luajit', interpreter({ code: '-e', takes: '-l' })),
  Rscript: interpreter({ code: '-e' }),
  ...each('julia', interpreter({ code: '-e -E', takes: '-p -t' })),
  ...each('elixir', interpreter({ code: '-e', files: '-r' })),
  ...each('osascript', interpreter({ code: '-e', takes: '-l' })),
  ...each('pwsh powershell', interpreter({ code: '-c -C -Command -EncodedCommand', files: '-File -f' })),
  ...each('tclsh wish expect', interpreter({ code: '-c' })),
  ...each(
    'groovy scala jshell ghc runghc swift java dotnet-script',
    interpreter({ code: '-e', takes: '-cp -classpath -jar' }),
  ),
}

function interpreter(given: Interpreter): Act {
  const code = given.code.split(' ')
  const files = new Set(given.files?.split(' '))
  const takes = new Set(given.takes?.split(' '))
  return (call, trace) => {
    if (isOnlyAsking(call)) return
    trace.incomplete(NOT_FOLLOWED)
    const { args, from } = call
    let at = from + 1
    let hasCode = false
    for (; at < args.length; at++) {
      const arg = args[at]!
      const value = valueOf(arg)
      if (!value.startsWith('-') || value === '-') break
      const name = code.find((each) => value === each || value.startsWith(`${each}=`))
      const isCluster = name === undefined && code.some((each) => isClusterWith(value, each))
      if (name !== undefined || isCluster) {
        hasCode = true
        readCode(call, value === name || isCluster ? ++at : at, trace)
      } else if (files.has(value.split('=')[0]!))
        trace.script(value.includes('=') ? tailOf(arg, value.indexOf('=') + 1) : (args[++at] ?? ''))
      else if (value === given.modules) return trace.engine.run(args, { from: at + 1, by: call.index }, trace)
      else if (takes.has(value)) at++
    }
    const isInPlace =
      given.inPlace !== undefined && args.slice(from + 1).some((arg) => given.inPlace!.test(valueOf(arg)))
    readRest(call, { at, hasCode, isInPlace }, trace)
  }
}

/** `-pie`, `-ne`: joined letters of which the last takes the code. */
function isClusterWith(value: string, option: string): boolean {
  return (
    option.length === 2 && /^-[a-zA-Z0-9]+$/.test(value) && value.length > 2 && value.endsWith(option[1]!)
  )
}

function isOnlyAsking({ args, from }: Call): boolean {
  return args.length === from + 2 && /^(?:--version|-V|-v|--help|-h)$/.test(valueOf(args[from + 1]!))
}

function readCode({ args, index }: Call, at: number, trace: Trace): void {
  const arg = args[at]
  if (arg === undefined) return
  if (!isKnown(arg)) trace.strict('It runs code that is known only when it runs.')
  scanCode(valueOf(arg), { by: index, trace })
}

interface Rest {
  readonly at: number
  readonly hasCode: boolean
  readonly isInPlace: boolean
}

/** The file of code, unless code was given, and its arguments. */
function readRest(call: Call, { at, hasCode, isInPlace }: Rest, trace: Trace): void {
  const { args, index } = call
  const file = args[at]
  if (!hasCode && file !== undefined && valueOf(file) !== '-') trace.script(file)
  else if (!hasCode) {
    const text = literalInput(trace.input)
    if (text !== undefined) scanCode(text, { by: index, trace })
    else {
      trace.strict('It runs code that is known only when it runs.')
      if (trace.input?.type === 'HereDoc') scanCode(trace.input.body.text, { by: index, trace })
    }
  }
  const rest = args.slice(hasCode ? at : at + 1)
  if (isInPlace)
    for (const arg of rest) {
      trace.read(arg)
      trace.replace(arg)
    }
  else guessProgram(valueOf(args[call.from]!), { args: ['', ...rest], from: 0, index }, trace)
}
