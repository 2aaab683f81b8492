export const EVENING: readonly Readonly<Record<string, string>>[] = [
  {
    'course.md': `---
title: Gitarre am Abend
slug: gitarre-am-abend
description: Drei Akkorde, ein Lied und keine Scheu. Auf Deutsch.
category: Musik
difficulty: beginner
duration: 6 Wochen
course_type: structured
settings:
  emoji: 🎸
---
Zehn Minuten am Tag genügen. Jede Woche kommt etwas dazu.
`,
    '01-anfang/01-stimmen.md':
      '---\ntitle: Stimmen nach Gehör\nis_preview: true\n---\nE A D G H E. Erst hören, dann drehen, und immer von unten an den Ton heran.\n',
    '01-anfang/02-drei-akkorde.md':
      '# Drei Akkorde\n\nG, C und D. Der Wechsel zählt, nicht der Klang: vier Schläge, wechseln, vier Schläge.\n',
    '01-anfang/03-kurz-gefragt.gift': `Welche drei Akkorde üben wir zuerst? {=G, C und D ~E, F und H ~A, B und C}

Man stimmt von unten an den Ton heran. {T}
`,
    '02-lied/section.md': '---\ntitle: Ein Lied\ndays_after: 7\n---\n',
    '02-lied/01-begleiten.md':
      '# Begleiten\n\nSpielen Sie leiser, als Sie singen. Wer sich verspielt, spielt weiter: Der Takt verzeiht, die Pause nicht.\n',
  },
  {
    'course.md': `---
title: A sky to find your way by
slug: night-sky
description: Twelve constellations, four planets and a reason to stay up.
category: Science
difficulty: advanced
duration: 1 season
privacy: private
settings:
  emoji: 🔭
---
A course for the members of the astronomy evenings. Dress warmly.
`,
    '01-north/01-plough.md':
      '# From the Plough to the North Star\n\nTake the two stars at its end, go on five times their distance. That faint one is north.\n',
    '01-north/02-cassiopeia.md': '# When the Plough is too low\n\nCassiopeia stands opposite: a W whose middle points to the same place.\n',
    '01-north/03-check.gift': `How many times the distance of its last two stars is it from the Plough to the North Star? {#5}

The North Star is the brightest star of the sky. {F#It is about the fiftieth.}
`,
    '02-planets/01-wanderers.md':
      '# Wanderers do not twinkle\n\nPlanets shine steadily and keep to one road, the ecliptic. Follow the moon to find it.\n',
    '02-planets/02-your-night.md':
      '---\ntitle: Your night\nquiz:\n  passing_score: 60\n  max_attempts: 2\n  questions:\n    - question: What did you see last clear night, and in which direction?\n      type: short_answer\n      points: 3\n    - question: Planets twinkle more than stars.\n      answer: false\n---\nGo out for half an hour first.\n',
  },
]
