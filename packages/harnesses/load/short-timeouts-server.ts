import { runServe } from '../../server/src/cli/serve.ts'
import { processTerminal } from '../../server/src/cli/terminal.ts'
import { CLIENT_TIMEOUTS } from '../../server/src/http/node-server.ts'

/** The server as the command line runs it, with the timeouts for slow clients from LYCEUM_TEST_CLIENT_TIMEOUTS in ms. */
Object.assign(CLIENT_TIMEOUTS, JSON.parse(process.env['LYCEUM_TEST_CLIENT_TIMEOUTS'] ?? '{}'))
process.exitCode = (await runServe(processTerminal)) ?? 0
