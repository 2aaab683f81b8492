import type { CodeCase } from '../../types.ts'
import { lines } from '../../words.ts'

export const opensourceCode: CodeCase[] = [
  {
    titles: lines(`
      My backup script in {9-19} lines – review, please
      Backups for the home server: the script
      Nightly backup {where}, is this sane?`),
    intro: lines(`
      This runs every night at {1-4}:{10-55}, on a small box under the stairs. It has saved me twice.
      After {span} of “I should really do backups”, here is mine:`),
    fence: 'bash',
    code: [
      `#!/usr/bin/env bash
set -euo pipefail

target="/backup/$(date +%F)"
mkdir -p "$target"

pg_dump --format=custom notes > "$target/notes.dump"
rsync -a --link-dest=/backup/latest /srv/media/ "$target/media/"

ln -sfn "$target" /backup/latest
find /backup -maxdepth 1 -mtime +30 -exec rm -rf {} +`,
      `#!/usr/bin/env bash
set -euo pipefail

archive="/tmp/site-$(date +%F).tar.zst"
tar --zstd -cf "$archive" /srv/site /etc/caddy

age -r "$BACKUP_KEY" -o "$archive.age" "$archive"
scp "$archive.age" attic:/volume1/backups/
rm "$archive" "$archive.age"`,
    ],
    outro: lines(`
      What happens if it fails half-way? That is what I am unsure about.
      I have tested the restore once. Once is not never, right?
      Anything you would do differently?`),
    answers: lines(`
      Write to a temporary name and rename at the end, then a half backup never looks like a whole one.
      Where does it tell you that it failed? A backup that stops silently is worse than none.
      The box and the backup are in the same house, I assume. Fire does not care.
      \`set -euo pipefail\`, quotes everywhere: I have seen far worse in production.
      Test the restore on another machine, with a date in your calendar.`),
  },
  {
    titles: lines(`
      Our CI file, {20-60} lines shorter
      CI takes {k=9-28} minutes – what would you cut?
      Caching on CI: what am I doing wrong?`),
    intro: lines(`
      {k=9-28} minutes per push, and contributors give up before it is green. The relevant part:
      I have tidied up our workflow {time}. Before I merge it, does anyone see something stupid?`),
    fence: 'yaml',
    code: [
      `test:
  strategy:
    fail-fast: false
    matrix:
      node: [22, 24]
      database: [sqlite, postgres]
  steps:
    - uses: checkout
    - run: npm ci
    - run: npm test
      env:
        DATABASE: \${{ matrix.database }}`,
      `services:
  postgres:
    image: postgres:17
    environment:
      POSTGRES_PASSWORD: example
    healthcheck:
      test: ["CMD", "pg_isready", "-U", "postgres"]
      interval: 2s
      retries: 15`,
    ],
    outro: lines(`
      The matrix is where the time goes, I think.
      I would like to keep it readable for people who see it for the first time.`),
    answers: lines(`
      Run the whole matrix on main only, one combination on pull requests.
      Cache the package manager’s store and not node_modules.
      What does the timing say? I bet on the install step.
      Health check instead of sleep: thank you.
      {k=9-28} minutes would make me give up, too. Split lint from tests, lint answers within a minute.`),
  },
  {
    titles: lines(`
      Who breaks the build? A little query
      Finding slow queries {where}
      SQL: the newest release per project, without a subquery per row`),
    intro: lines(`
      I needed the latest release of each project, and the obvious query took {4-40} seconds. This one takes {3-30} milliseconds:
      Small thing, but it took me {span} to find:`),
    fence: 'sql',
    code: [
      `SELECT p.name, r.version, r.released_at
FROM project p
JOIN LATERAL (
  SELECT version, released_at
  FROM release
  WHERE project_id = p.id
  ORDER BY released_at DESC
  LIMIT 1
) r ON true
ORDER BY r.released_at DESC
LIMIT 20;`,
      `CREATE INDEX release_newest ON release (project_id, released_at DESC);

EXPLAIN QUERY PLAN
SELECT version FROM release
WHERE project_id = 42
ORDER BY released_at DESC
LIMIT 1;
-- SEARCH release USING COVERING INDEX ...`,
    ],
    outro: lines(`
      Is there something simpler?
      The index did most of the work, to be fair.`),
    answers: lines(`
      A window function does the same, but reads all rows first. Yours is better with an index.
      Have a look at the plan again when the table has grown, it may change its mind.
      \`DISTINCT ON\` if you never leave Postgres.
      The index is the whole trick. Nice find.`),
  },
  {
    titles: lines(`
      Who contributes? A {10-25}-line script for your repository
      Counting first-time contributors
      Small Python helper for release notes`),
    intro: lines(`
      For the release notes I wanted to thank everybody by name. Doing it by hand took an evening, so:
      Quick and dirty, but it does what it should:`),
    fence: 'python',
    code: [
      `import subprocess
from collections import Counter

log = subprocess.run(
    ["git", "log", "--format=%aN", "v1.4..HEAD"],
    capture_output=True, text=True, check=True,
).stdout

for name, commits in Counter(log.splitlines()).most_common():
    print(f"- {name} ({commits})")`,
      `from pathlib import Path

TITLES = {"feat": "New", "fix": "Fixed", "docs": "Documentation"}

def section(kind: str, lines: list[str]) -> str:
    items = "\\n".join(f"- {line.split(': ', 1)[1]}" for line in lines if line.startswith(kind))
    return f"## {TITLES[kind]}\\n\\n{items}\\n"

log = Path("log.txt").read_text().splitlines()
print("\\n".join(section(kind, log) for kind in TITLES))`,
    ],
    outro: lines(`
      Take it, change it, no licence needed.
      What do you use?`),
    answers: lines(`
      Mind the mailmap, otherwise half of the people appear twice.
      Thanking people by name is the best part of any changelog.
      We generate the list and write the text by hand. Generated text reads like generated text.
      \`git shortlog -sn\` does the first half for you.`),
  },
]
