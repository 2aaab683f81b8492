export const WORK: readonly Readonly<Record<string, string>>[] = [
  {
    'course.md': `---
title: Say it shorter
slug: say-it-shorter
description: Writing at work that people read to the end.
category: Career
difficulty: intermediate
duration: 4 weeks
settings:
  emoji: ✍️
  sequential_lesson_order: yes
---
One habit a lesson, one page to practise on. Bring a text of your own that nobody answered.
`,
    '01-before-you-write/01-one-reader.md': `---
title: One reader
is_preview: true
---
Name the person. Not “stakeholders”: *Ines, who has four minutes before her train.* Write for her and cut what she would skip.
`,
    '01-before-you-write/02-the-ask.md':
      '# The ask comes first\n\nFirst line: what you want, by when. Then why. Whoever stops reading there has still got it.\n',
    '01-before-you-write/03-check.gift': `The first line of a message holds {=what you want, and by when ~the history of the matter ~a greeting and the weather}.

Writing for “everybody” makes a text longer. {T#A text for one reader can leave out what she knows.}
`,
    '02-cutting/01-half.md': '# Half of it\n\nSave a copy. Delete half. Read both aloud. Put back only what you missed.\n',
    '02-cutting/02-words.md': `# Words that can go

| Long | Short |
|------|-------|
| in order to | to |
| at this point in time | now |
| make a decision | decide |
`,
    '02-cutting/03-final.gift': `Which of these can go without loss? {
~%50%at this point in time
~%50%in order to
~%-100%not
####Never cut a “not”.
}

Shorten in one word\\: “make a decision”. {=decide =Decide.}
`,
  },
  {
    'course.md': `---
title: Git for the rest of us
slug: git-for-the-rest-of-us
description: Branches, mistakes and how to get out of them. No computer science needed.
category: Technology
difficulty: intermediate
duration: 5 hours
settings:
  emoji: 🌿
---
Made for writers, designers and everybody who was once told to “just rebase”.
`,
    '01-saving/01-commit.md':
      '# A commit is a photograph\n\n```\ngit add letter.md\ngit commit -m "Thank the neighbours"\n```\n\nWhat is in the photograph is safe. What is beside it is not.\n',
    '01-saving/02-branch.md':
      '# A branch is a bookmark\n\nIt costs nothing and moves along as you write. Make one whenever you are not sure.\n',
    '01-saving/03-quiz.gift': `Which command takes the photograph? {~git add =git commit ~git push}

A branch is a copy of all files. {F#It is one line in a file, and costs nothing.}

Which command shows what has changed? {=git diff =git status}
`,
    '02-trouble/01-undo.md':
      '# Undoing, from gentle to brave\n\n1. `git restore FILE` for what you have not committed.\n2. `git revert` for what others have seen.\n3. `git reflog` for what you believe is lost. It rarely is.\n',
    '02-trouble/02-conflict.md':
      '---\ntitle: Reading a conflict\nduration: 10 minutes\n---\nTwo people changed one line. Git asks a question; it does not scold. Keep one, keep both, or write a third.\n',
  },
]
