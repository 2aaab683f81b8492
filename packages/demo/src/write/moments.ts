const DAY = 86_400
const two = (number: number) => String(number).padStart(2, '0')

const days = new Map<number, string>()
const times: string[] = []

/** Converts Unix seconds to the database format. Dates and times of day are cached: a community has millions of moments. */
export const moment = (seconds: number): string => {
  const day = Math.floor(seconds / DAY)
  const time = seconds - day * DAY
  let date = days.get(day)
  if (date === undefined) {
    date = `${new Date(day * DAY * 1000).toISOString().slice(0, 10)} `
    days.set(day, date)
  }
  times[time] ??= `${two(Math.floor(time / 3600))}:${two(Math.floor(time / 60) % 60)}:${two(time % 60)}`
  return date + times[time]
}
