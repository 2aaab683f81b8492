const DAY = 86_400
const two = (number: number) => String(number).padStart(2, '0')

/** The stored form of moments in unix seconds, for millions of them: days and times of day are put together once. */
export const createMoments = () => {
  const days = new Map<number, string>()
  const times: string[] = []
  return (seconds: number): string => {
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
}
