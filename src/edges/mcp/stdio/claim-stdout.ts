import { Writable } from 'node:stream'

/**
 * Standard output for the protocol alone: whatever else in this process writes there, such as a tool that logs, comes
 * out on standard error instead.
 */
export function claimStdout(): { output: Writable; release(): void } {
  const { stdout, stderr } = process
  const given = stdout.write
  const write = given.bind(stdout)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => void write(chunk, (error) => done(error ?? null)),
  })
  const onError = (error: Error): void => void output.destroy(error)
  stdout.on('error', onError)
  return {
    output,
    release() {
      stdout.write = given
      stdout.off('error', onError)
    },
  }
}
