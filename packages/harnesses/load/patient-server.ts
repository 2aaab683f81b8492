import { runServe } from '../../server/src/cli/serve.ts'
import { processTerminal } from '../../server/src/cli/terminal.ts'
import { PATIENCE } from '../../server/src/http/node-server.ts'

/** The server as the command line runs it, with the timeouts for slow clients from LYCEUM_TEST_PATIENCE in ms. */
Object.assign(PATIENCE, JSON.parse(process.env['LYCEUM_TEST_PATIENCE'] ?? '{}'))
process.exitCode = (await runServe(processTerminal)) ?? 0
