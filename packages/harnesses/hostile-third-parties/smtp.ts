import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** The stage of a conversation at which the server misbehaves. */
export const STAGES = ['greeting', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'message'] as const
export type Stage = (typeof STAGES)[number]

/** The faulty response of a mail server at that stage. */
export interface SmtpFault {
  readonly name: string
  readonly play: (socket: Socket, said: string) => void
  /** It keeps this process busy, which also runs the mailer. */
  readonly heavy?: true
}

const DRIP_MS = 30
const drip = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), DRIP_MS)
  socket.on('close', () => clearInterval(timer))
}

export const SMTP_FAULTS: readonly SmtpFault[] = [
  { name: 'says nothing', play: () => {} },
  { name: 'drips a line without end', play: (socket) => drip(socket, '2') },
  { name: 'drips lines without end', play: (socket) => drip(socket, '250-more\r\n') },
  { name: 'says 421', play: (socket) => socket.end('421 Closing\r\n') },
  { name: 'says 451', play: (socket) => void socket.write('451 Later\r\n') },
  { name: 'says 554', play: (socket) => void socket.write('554 Never\r\n') },
  { name: 'speaks no SMTP', play: (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n\u0000\u0001\r\n') },
  { name: 'pours 50 MB', heavy: true, play: (socket) => void socket.write(Buffer.alloc(50 * 1024 * 1024, 'x')) },
  { name: 'closes', play: (socket) => socket.destroy() },
  { name: 'closes mid-way', play: (socket) => socket.end('25') },
  // Echoes the client's command, including the password.
  { name: 'repeats what it was told', play: (socket, said) => void socket.write(`535 5.7.8 ${said}\r\n`) },
]

const HONEST: Readonly<Record<Stage, string>> = {
  greeting: '220 mail.example ESMTP',
  EHLO: '250-mail.example\r\n250 AUTH PLAIN LOGIN',
  AUTH: '235 Welcome',
  MAIL: '250 Fine',
  RCPT: '250 Fine',
  DATA: '354 Go on',
  message: '250 Taken',
}

/** A mail server that misbehaves at one stage; without a trick it accepts every mail. */
export const startSmtp = async (stage: Stage | null, trick: SmtpFault | null) => {
  const taken: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    let text = ''
    let inMessage = false
    const answer = (at: Stage, said: string) => {
      if (at === stage && trick) return trick.play(socket, said)
      if (at === 'message') taken.push(said)
      socket.write(`${HONEST[at]}\r\n`)
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      for (;;) {
        const mark = inMessage ? '\r\n.\r\n' : '\r\n'
        const end = text.indexOf(mark)
        if (end < 0) return
        const said = text.slice(0, end)
        text = text.slice(end + mark.length)
        const [verb = ''] = said.toUpperCase().replace(/^HELO/, 'EHLO').split(' ')
        if (inMessage) {
          inMessage = false
          answer('message', said)
        } else if (verb === 'DATA') {
          inMessage = stage !== 'DATA' || !trick
          answer('DATA', said)
        } else if (verb === 'QUIT') socket.end('221 Bye\r\n')
        else if (verb === 'EHLO' || verb === 'AUTH' || verb === 'MAIL' || verb === 'RCPT') answer(verb, said)
        else socket.write('502 What?\r\n')
      }
    })
    answer('greeting', '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
