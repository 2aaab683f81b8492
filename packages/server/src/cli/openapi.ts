import { openapiDocument, openapiPart } from '@lyceum/contract/openapi'
import type { Command } from 'commander'
import { configFor, type Terminal } from './terminal.ts'

export const openapiCommand = (program: Command, terminal: Terminal) =>
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document of the API')
    .option('--json', 'has no effect: the document is always JSON')
    .option('--tags <list>', 'only the operations of these tags, comma-separated')
    .action(({ tags = '' }: { tags?: string }) => {
      const { url, apiRoot } = configFor(terminal)
      const document = openapiDocument(`${url}${apiRoot}`)
      const wanted = tags.split(',').filter(Boolean)
      terminal.out(`${JSON.stringify(wanted.length > 0 ? openapiPart(document, wanted) : document, null, 2)}\n`)
    })
