// Exits with 0 if the server in this container is ready.
const { LYCEUM_PORT: port = '3000' } = process.env
try {
  const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(4000) })
  process.exit(answer.ok ? 0 : 1)
} catch {
  process.exit(1)
}
