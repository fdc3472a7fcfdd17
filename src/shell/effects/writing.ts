import { pathOf, tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import type { Trace } from '../detection/trace.js'
import { applyUsage } from './apply-usage.js'
import { each, type EffectTable, type Usage } from './usage.js'

const copies: Usage = {
  rest: 'read',
  last: 'replace',
  takes: { '-t': 'replace', '--target-directory': 'replace', '-S': 'text', '--suffix': 'text' },
  when: {
    '-n': { last: 'write' },
    '--no-clobber': { last: 'write' },
    '-t': { last: 'read' },
    '--target-directory': { last: 'read' },
  },
}

const changesMode: Usage = {
  first: ['text'],
  rest: 'write',
  takes: { '--reference': 'read', '--from': 'text' },
  when: {
    '-R': { destroys: 'It changes everything below a folder.' },
    '--recursive': { destroys: 'It changes everything below a folder.' },
    '--reference': { first: [] },
  },
}

/** Commands whose work is to change files. */
export const writing: EffectTable = {
  ...each('rm rmdir unlink trash trash-put del rimraf srm wipe', { rest: 'delete' }),
  shred: {
    rest: 'delete',
    takes: {
      '-n': 'text',
      '-s': 'text',
      '--iterations': 'text',
      '--size': 'text',
      '--random-source': 'read',
    },
  },
  truncate: {
    rest: 'delete',
    takes: { '-s': 'text', '--size': 'text', '-r': 'read', '--reference': 'read' },
  },
  cp: copies,
  gcp: copies,
  ditto: copies,
  mv: {
    ...copies,
    rest: 'move',
    when: { ...copies.when, '-t': { last: 'move' }, '--target-directory': { last: 'move' } },
  },
  install: {
    ...copies,
    takes: {
      ...copies.takes,
      '-m': 'text',
      '-o': 'text',
      '-g': 'text',
      '--mode': 'text',
      '--strip-program': 'script',
    },
    when: {
      ...copies.when,
      '-d': { rest: 'write', last: 'write' },
      '--directory': { rest: 'write', last: 'write' },
    },
  },
  ln: link,
  link: { first: ['read', 'write'] },
  symlink: link,
  touch: {
    rest: 'write',
    takes: {
      '-d': 'text',
      '-t': 'text',
      '-r': 'read',
      '--date': 'text',
      '--reference': 'read',
      '--time': 'text',
    },
  },
  ...each('mkdir mkfifo mknod', { rest: 'write', takes: { '-m': 'text', '--mode': 'text' } }),
  tee: { rest: 'replace', when: { '-a': { rest: 'write' }, '--append': { rest: 'write' } } },
  sponge: { rest: 'replace', when: { '-a': { rest: 'write' } } },
  ...each('chmod chown chgrp', changesMode),
  ...each('chattr', { first: ['text'], rest: 'write' }),
  setfacl: {
    rest: 'write',
    takes: { '-m': 'text', '-x': 'text', '-M': 'read', '-X': 'read', '--restore': 'read' },
  },
  dd: copyBlocks,
  split: {
    first: ['read', 'write'],
    takes: {
      '-b': 'text',
      '-l': 'text',
      '-n': 'text',
      '-a': 'text',
      '-C': 'text',
      '-t': 'text',
      '--filter': 'command',
    },
  },
  csplit: {
    first: ['read'],
    rest: 'text',
    takes: { '-f': 'write', '-b': 'text', '-n': 'text' },
    isPartial: true,
  },
  patch: {
    first: ['edit', 'read'],
    isPartial: true,
    takes: {
      '-i': 'read',
      '--input': 'read',
      '-o': 'replace',
      '--output': 'replace',
      '-d': 'edit',
      '-p': 'text',
    },
  },
  ...each('rename prename', { first: ['text'], rest: 'move', isPartial: true }),
  ...each('dos2unix unix2dos', { rest: 'edit' }),
  ...each('vi vim nvim nano emacs pico ed ex micro code subl', edit),
  ...each('prettier eslint black ruff isort gofmt rustfmt clang-format', { rest: 'maybe', isPartial: true }),
  ...each('gcc g++ cc c++ clang clang++ tcc rustc', {
    rest: 'read',
    takes: { '-o': 'replace', '-I': 'read', '-L': 'read', '-l': 'text', '-D': 'text', '-x': 'text' },
    isPartial: true,
  }),
  ffmpeg: { rest: 'read', last: 'replace', isSingleDash: true, takes: { '-i': 'read' } },
  ...each('convert magick', { rest: 'read', last: 'replace', isPartial: true }),
  pandoc: { rest: 'read', takes: { '-o': 'replace', '--output': 'replace', '-f': 'text', '-t': 'text' } },
}

const editUsage: Usage = {
  rest: 'edit',
  isPartial: true,
  takes: { '-c': 'text', '--cmd': 'text', '-S': 'script', '-u': 'script', '--eval': 'text', '-l': 'script' },
}

/** `vim -c ':!rm a' file`: an editor command may run a program. */
function edit(call: Call, trace: Trace): void {
  applyUsage(editUsage, call, trace)
  for (const value of call.args.slice(call.from + 1).map(valueOf)) {
    const command = /^[+:]*[\w%,.$ ]*!\s*(.+)$/.exec(value)
    if (command) trace.engine.runText(command[1]!, call.index, trace)
  }
}

const links: Usage = {
  rest: 'read',
  last: 'write',
  takes: { '-t': 'write', '--target-directory': 'write', '-S': 'text' },
}
const linksOver: Usage = { ...links, last: 'replace' }

/** A link is made, in the working folder if no second name is given. */
function link(call: Call, trace: Trace): void {
  const words = call.args.slice(call.from + 1).filter((arg) => !valueOf(arg).startsWith('-'))
  const isForced = call.args.some((arg) => /^-[a-zA-Z]*f|^--force/.test(valueOf(arg)))
  applyUsage(isForced ? linksOver : links, call, trace)
  const [only] = words
  if (words.length === 1 && only !== undefined) trace.write(baseName(only))
}

function baseName(arg: Arg): string {
  const path = pathOf(arg).replace(/\/+$/, '')
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `dd if=a of=b` */
function copyBlocks({ args, from }: Call, trace: Trace): void {
  trace.destructive('It writes over what is there.')
  for (const arg of args.slice(from + 1)) {
    const value = valueOf(arg)
    if (value.startsWith('if=')) trace.read(tailOf(arg, 3))
    else if (value.startsWith('of=')) trace.replace(tailOf(arg, 3))
    else if (typeof arg !== 'string' && !arg.isKnown)
      trace.incomplete('Some of its words are known only when it runs.')
  }
}
