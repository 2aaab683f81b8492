import { openapiDocument } from '@lyceum/contract/openapi'
import type { Command } from 'commander'
import { configFor, type Terminal } from './terminal.ts'

export const openapiCommand = (program: Command, terminal: Terminal) =>
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the API')
    .option('--json', 'has no effect: the document is always JSON')
    .action(() => {
      const { url, apiRoot } = configFor(terminal)
      terminal.out(`${JSON.stringify(openapiDocument(`${url}${apiRoot}`), null, 2)}\n`)
    })
