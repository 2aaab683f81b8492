import { runServe } from '../../server/src/cli/serve.ts'
import { processTerminal } from '../../server/src/cli/terminal.ts'
import { PATIENCE } from '../../server/src/http/node-server.ts'

/** A server that is as patient with slow clients as LYCEUM_TEST_PATIENCE says, in ms, and otherwise as the command line runs it. */
Object.assign(PATIENCE, JSON.parse(process.env['LYCEUM_TEST_PATIENCE'] ?? '{}'))
process.exitCode = (await runServe(processTerminal)) ?? 0
