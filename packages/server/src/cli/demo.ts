import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

export const demoCommand = (program: Command, _terminal: Terminal) => program.command('demo')
