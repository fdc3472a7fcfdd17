import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CLOSED,
  probe,
  settle,
  type BreakerRules,
  type BreakerState,
  type Outcome,
  type Ticket,
} from '../../../src/scheduling/limits/breaker.js'

const RULES: BreakerRules = { failures: 3, openMs: 1_000, probes: 1 }

/** One circuit and its clock, as calls see it. */
function circuit(rules = RULES) {
  let state: BreakerState = CLOSED
  let now = 0
  return {
    get state() {
      return state
    },
    pass: (ms: number) => void (now += ms),
    enter(): Ticket | { retryAfterMs: number } {
      const outcome = probe(state, rules, now)
      state = outcome.state
      if ('retryAfterMs' in outcome) return { retryAfterMs: outcome.retryAfterMs }
      return { period: state.period, ...(outcome.isProbe && { probeAt: now }) }
    },
    leave(ticket: Ticket | { retryAfterMs: number }, outcome: Outcome) {
      if ('retryAfterMs' in ticket) throw new Error('was not let in')
      state = settle(state, { ticket, outcome, now }, rules)
    },
    call(outcome: Outcome) {
      this.leave(this.enter(), outcome)
    },
  }
}

function openCircuit(rules = RULES) {
  const made = circuit(rules)
  for (let call = 0; call < rules.failures; call++) made.call('failed')
  return made
}

describe('a circuit', () => {
  it('opens after a number of consecutive failures, and returns how long it stays open', () => {
    const made = circuit()
    made.call('failed')
    made.call('failed')
    expect(made.state).toMatchObject({ kind: 'closed', failures: 2 })
    made.call('failed')
    expect(made.state.kind).toBe('open')
    expect(made.enter()).toEqual({ retryAfterMs: 1_000 })
    made.pass(400)
    expect(made.enter()).toEqual({ retryAfterMs: 600 })
  })

  it('resets its count after a call that shows that the source works, and not after an inconclusive one', () => {
    const made = circuit()
    made.call('failed')
    made.call('failed')
    made.call('lives')
    made.call('failed')
    made.call('unknown')
    made.call('failed')
    expect(made.state).toMatchObject({ kind: 'closed', failures: 2 })
    made.call('failed')
    expect(made.state.kind).toBe('open')
  })

  it('admits one probe when its time is over, and refuses other calls', () => {
    const made = openCircuit()
    made.pass(1_000)
    const probe = made.enter()
    expect(probe).toMatchObject({ probeAt: 1_000 })
    expect(made.enter()).toEqual({ retryAfterMs: 1_000 })
    made.leave(probe, 'lives')
    expect(made.state).toMatchObject({ kind: 'closed', failures: 0 })
    made.call('lives')
  })

  it('opens again when the probe fails', () => {
    const made = openCircuit()
    made.pass(1_000)
    made.call('failed')
    expect(made.enter()).toEqual({ retryAfterMs: 1_000 })
    made.pass(1_000)
    made.call('lives')
    expect(made.state.kind).toBe('closed')
  })

  it('closes only when all of its probes succeed', () => {
    const made = openCircuit({ ...RULES, probes: 2 })
    made.pass(1_000)
    const [first, second] = [made.enter(), made.enter()]
    expect(made.enter()).toHaveProperty('retryAfterMs')
    made.leave(first, 'lives')
    expect(made.state.kind).toBe('half_open')
    expect(made.enter()).toHaveProperty('retryAfterMs')
    made.leave(second, 'lives')
    expect(made.state.kind).toBe('closed')
  })

  it('admits another probe for one that was cancelled', () => {
    const made = openCircuit()
    made.pass(1_000)
    made.call('unknown')
    const next = made.enter()
    expect(next).toHaveProperty('probeAt')
    made.leave(next, 'lives')
    expect(made.state.kind).toBe('closed')
  })

  it('does not wait for a probe that never ends, and still counts its result', () => {
    const made = openCircuit()
    made.pass(1_000)
    const lost = made.enter()
    made.pass(999)
    expect(made.enter()).toEqual({ retryAfterMs: 1 })
    made.pass(1)
    const next = made.enter()
    expect(next).toHaveProperty('probeAt')
    made.leave(lost, 'lives')
    expect(made.state.kind).toBe('closed')
    // The other probe started in an earlier period: its result is ignored.
    made.leave(next, 'failed')
    expect(made.state).toMatchObject({ kind: 'closed', failures: 0 })
  })

  it('ignores calls that were admitted before it opened', () => {
    const made = circuit()
    const early = [made.enter(), made.enter()]
    for (let call = 0; call < 3; call++) made.call('failed')
    made.leave(early[0]!, 'lives')
    expect(made.state.kind).toBe('open')
    made.pass(1_000)
    const probe = made.enter()
    made.leave(early[1]!, 'failed')
    expect(made.state.kind).toBe('half_open')
    made.leave(probe, 'lives')
    expect(made.state.kind).toBe('closed')
  })

  it('stays open no longer than configured when the clock is set back', () => {
    const made = openCircuit()
    made.pass(-5_000)
    expect(made.enter()).toEqual({ retryAfterMs: 1_000 })
    made.pass(1_000)
    expect(made.enter()).toHaveProperty('probeAt')
  })

  it('never admits more probes than configured, and admits one eventually', () => {
    const rules = fc.record({
      failures: fc.integer({ min: 1, max: 4 }),
      openMs: fc.integer({ min: 1, max: 100 }),
      probes: fc.integer({ min: 1, max: 3 }),
    })
    const steps = fc.array(
      fc.oneof(
        fc.record({ pass: fc.integer({ min: 0, max: 120 }) }),
        fc.constant({ enter: true }),
        fc.record({ leave: fc.nat(), outcome: fc.constantFrom<Outcome>('lives', 'failed', 'unknown') }),
      ),
      { maxLength: 120 },
    )
    fc.assert(
      fc.property(rules, steps, (given, todo) => {
        const made = circuit(given)
        const inside: Ticket[] = []
        for (const step of todo) {
          if ('pass' in step) made.pass(step.pass)
          else if ('leave' in step) {
            const [ticket] = inside.splice(step.leave % Math.max(1, inside.length), 1)
            if (ticket) made.leave(ticket, step.outcome)
          } else {
            const before = made.state
            const ticket = made.enter()
            if (!('retryAfterMs' in ticket)) inside.push(ticket)
            else expect(before.kind).not.toBe('closed')
          }
          if (made.state.kind === 'half_open')
            expect(made.state.probing.length + made.state.succeeded).toBeLessThanOrEqual(given.probes)
          if (made.state.kind === 'closed') expect(made.state.failures).toBeLessThan(given.failures)
        }
        made.pass(given.openMs)
        expect(made.enter()).not.toHaveProperty('retryAfterMs')
      }),
    )
  })
})
