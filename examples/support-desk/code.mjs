// The code of the tools with the type function, by their ids.
export default {
  'reply-deadline': ({ opened, days }) => {
    const day = new Date(`${opened}T00:00:00Z`)
    for (let left = days; left > 0;) {
      day.setUTCDate(day.getUTCDate() + 1)
      if (day.getUTCDay() % 6 !== 0) left--
    }
    return { due: day.toISOString().slice(0, 10) }
  },
}
