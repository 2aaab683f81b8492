/*
 * Runs a program on a suitable Node.js, whatever Node.js npm was started with: npm 10 does not put the carried one on the PATH of scripts.
 * Plain JavaScript that an old Node.js can read.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runOnCarriedNode } from '../packages/server/bin/carried-node.mjs'
import { isNewEnough } from '../packages/server/bin/node-version.mjs'

const [, , program, ...args] = process.argv
const file = resolve(program)
if (isNewEnough(process.versions.node)) {
  process.argv = [process.execPath, file, ...args]
  await import(pathToFileURL(file).href)
} else runOnCarriedNode(file, args)
