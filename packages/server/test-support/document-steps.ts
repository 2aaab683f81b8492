import { spawn } from 'node:child_process'

/** A code block of a document. */
export interface Step {
  readonly language: string
  readonly text: string
}

/** The code blocks of a text, in order. */
export const stepsOf = (markdown: string): Step[] =>
  [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))

export interface Shell {
  /** Runs a script, and resolves with what it printed. */
  run(script: string): Promise<string>
  end(): void
}

/** One shell for all steps of a document. */
export const createShell = (cwd: string, env: NodeJS.ProcessEnv): Shell => {
  const shell = spawn('bash', [], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  let arrived = () => {}
  shell.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    arrived()
  })
  let count = 0
  return {
    run: async (script) => {
      count += 1
      const mark = `== step ${count} is over ==`
      // A step must not read the shell's own input.
      shell.stdin.write(`{ ${script}\n} </dev/null\necho; echo '${mark}'\n`)
      while (!printed.includes(mark))
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      const [output = ''] = printed.split(mark)
      printed = ''
      return output.trim()
    },
    end: () => {
      // Processes in the background end with the shell.
      shell.stdin.end('kill $(jobs -p) 2>/dev/null; exit\n')
    },
  }
}

/** Replaces times, which differ in each run. */
export const withoutTimes = (text: string) => text.replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/g, '<time>')
