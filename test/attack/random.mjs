/** Random numbers that are the same for the same seed (mulberry32), with the draws that generators need. */
export function createRandom(seed) {
  let state = seed >>> 0
  function next() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count) => Math.floor(next() * count)
  return {
    next,
    below,
    pick: (list) => list[below(list.length)],
    chance: (share) => next() < share,
  }
}
