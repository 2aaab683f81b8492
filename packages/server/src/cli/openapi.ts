import { openapiDocument } from '@lyceum/contract/openapi'
import type { Command } from 'commander'
import { configFor, type Terminal } from './terminal.ts'

export const openapiCommand = (program: Command, terminal: Terminal) =>
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the API')
    .option('--json', 'the document is JSON in any case')
    .action(() => {
      terminal.out(`${JSON.stringify(openapiDocument(configFor(terminal).apiRoot), null, 2)}\n`)
    })
