import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const photography: Topic = {
  key: 'photography',
  language: 'en',
  lists: {
    field: ['photography'],
    thing:
      words(`street photography, long exposures, black and white, portraits with window light, macro, film, night shots, bird photography, landscapes,
      off-camera flash, photo books, panoramas, manual lenses, abstract architecture, concert photography, pinhole cameras, documentary projects, printing at home`),
    gear: words(`50 mm lens, tripod, light meter, polarising filter, macro lens, external flash, film scanner, softbox, camera bag, remote release, 35 mm prime,
      telephoto zoom, reflector, photo printer, second battery, monitor calibrator`),
    problem:
      words(`soft focus, blown highlights, noise at high ISO, green skin tones, dust on the sensor, flat light, motion blur, camera shake, banding under LED light,
      purple fringing, harsh midday sun, a crooked horizon, light leaks, muddy shadows`),
    doing:
      words(`scanning negatives, editing the shortlist, shooting one lens only, printing contact sheets, bracketing exposures, metering by hand, waiting for the light,
      developing film in the bathroom, sorting the archive, asking strangers for a portrait, photographing in fog, going through old folders`),
    did: words(`photographed the harbour before dawn, shot a whole roll on the tram, developed my first film at home, printed the whole series, took portraits of my neighbours,
      cleaned the sensor myself, got the kingfisher, made a photo book for my parents, asked forty strangers for a portrait, shot my first wedding,
      caught the fog over the river, hung three prints in the café`),
    where:
      words(`in low light, at the coast, in an empty factory, in the old town, from the roof, in the forest, on a rainy evening, with nothing but a phone,
      in a tiny living room, at a concert, along the river, at noon in summer`),
    goal: words(`get sharp hand-held shots at night, tell a story in ten pictures, photograph people without being rude, get natural skin tones, expose snow properly,
      keep my archive in order, take fewer but better pictures, photograph moving children, find a style of my own, make prints that match the screen,
      get the whole insect in focus, shoot in bad weather`),
  },
  cases: [
    {
      titles: lines(`
        Eyes never sharp at f/1.{k=2-8}
        Soft portraits with the {k=35-85} mm wide open
        Focus is on the ears, not on the eyes`),
      story: lines(`
        I shoot portraits with a {k=35-85} mm wide open, {where}. Out of {20-80} frames maybe {3-8} are sharp where they should be. On the back of the camera they all look [great|fine].
        New lens, old problem: at full aperture the focus sits [behind|just in front of] the eyes. Stopped down to f/4 all is well.`),
      tried: lines(`
        Single point AF, shutter at 1/[125|200|250|320], stabiliser on and off.
        On a tripod with a ruler it looks [fine|slightly off], so I blame myself.`),
      ask: lines(`
        Technique or lens?
        How do you focus so close?`),
      answers: lines(`
        At that distance you have two centimetres. If either of you breathes, it is gone. I use f/2.8 and nobody has ever complained.
        Do you focus and recompose? That alone shifts the plane. Move the point onto the eye instead.
        Continuous AF with eye detection if your camera has it, and shoot three frames each time.
        1/125 is not enough for people. Try 1/250 and see whether it is focus at all.
        Test it on a static subject at {1-3} m from a tripod. If that is sharp, it is you. Sorry 🙂`),
    },
    {
      titles: lines(`
        How do you keep {k=20-90/10},000 photos in order?
        My archive is a mess – folders, catalogues, or start over?
        Sorting {k=20-90/10},000 pictures: where to begin?`),
      story: lines(`
        {Span} of pictures, {k=20-90/10},000 files on [three|four] disks, with folders called “new”, “new 2” and “to sort”. I want to [find things again|have one backup that I trust].
        {Time*} {buddy*} asked for one picture from {2009-2021} and I could not find it. That was the moment I decided to [clean up|do something].`),
      tried: lines(`
        I began to add keywords, and gave up after {200-900} files.
        I renamed everything by date, which at least removed the duplicates.`),
      ask: lines(`
        By date, by subject, or one big heap with a good search?
        How do you back up, and what do you throw away?`),
      answers: lines(`
        Year, then year-month-day plus one word. Nothing else. Any program on earth can read that in twenty years.
        Delete first, sort later. I keep about one in fifteen and miss nothing.
        Two disks at home, one at {buddy*}’s place, swapped every month. Test the restore!
        Only keyword what you would show someone. The rest is findable by date.
        Do ten minutes a day, backwards from now. In a year you are through.`),
    },
    {
      titles: lines(`
        Prints come out much darker than the screen
        Why are my prints so dark?
        Screen and print do not match`),
      story: lines(`
        I ordered {k=4-20} prints {time*} and they are all [about a stop|clearly] too dark, with no detail in the shadows. On screen they look [right|perfect].
        My own printer does the same as the lab: dark, a bit [green|warm]. I edit {where*}, in the evening mostly.`),
      tried: lines(`
        I used the lab’s profile, and I have turned the brightness of the screen down to half.
        I raised the exposure by a third as a workaround, but that cannot be the solution.`),
      ask: lines(`
        Do I need a calibrator?
        What brightness do you edit at?`),
      answers: lines(`
        Screen too bright, it almost always is. 80 to 100 cd/m² in a dim room, then compare again.
        Hold the print under a decent lamp next to the screen. Many prints are only dark because the room is.
        A calibrator is the best money you will spend. You can borrow mine if you are near {city*}.
        Soft proofing, with the paper profile, and lift the shadows until it looks almost too light.
        Make a test strip: five small versions, a third of a stop apart, one sheet of paper. Done.`),
    },
    {
      titles: lines(`
        Photographing strangers – how do you ask?
        Afraid of street portraits
        How do you get over the fear of asking people?`),
      story: lines(`
        I love {thing}, but as soon as a person is in the frame I [freeze|wait until they have gone]. In {span} I have asked exactly {k=2-6} people.
        {Time*} I saw the perfect face {where}, stood there for {3-10} minutes with the camera in my hand, and went home.`),
      ask: lines(`
        What do you say?
        Do you ask before or after?
        How do you deal with a no?`),
      answers: lines(`
        “You look great in this light, may I?” A smile, and accept a no at once. Nine out of ten say yes.
        Start with people who do something: market traders, musicians, dog owners. They are used to being looked at.
        Offer to send the picture. I carry little cards with my address, and it [changes|changed] everything.
        Set yourself a number: five people in an hour. After the second the fear is gone.
        I shoot first and then walk over and show it. Never had trouble, but I look harmless.
        Check the law where you are. Here publishing without consent is a no, taking is fine.`),
    },
    {
      titles: lines(`
        Getting into film with a camera from the attic
        First film: what should I know?
        Found a film camera in the attic, now what?`),
      story: lines(`
        {Buddy*} gave me a camera from the {60-80/10}s, light meter dead, lens a bit hazy. I would like to shoot {thing} with it, {where}.
        I have {k=2-6} rolls of ISO [100|200|400] film and no idea. [The shutter sounds right.|The battery door is stuck.]`),
      ask: lines(`
        What would you test before you waste a roll?
        Which film forgives the most?
        Develop at home or use a lab?`),
      answers: lines(`
        Check the light seals, they turn to goo after thirty years. A kit costs less than a roll.
        Sunny 16 works better than you think. Overexpose colour negative by a stop and relax.
        Black and white at home is easy, you need a tank, a dark bag and {20-40/10} euros of chemicals.
        Open the back, look through the lens at 1/30 and 1/2. If both look different, shoot.
        Do not buy expired film for the first rolls. You want only one unknown at a time.`),
    },
  ],
  shows: lines(`
    I got up at {4-5}:{10-55} and had the place to myself, apart from a fox who did not care about me at all.
    {30-36} frames, {3-6} keepers, one that I will print. A good rate by my standards.
    The light lasted for about {4-12} minutes. I spent the first two looking for the right filter.
    f/[4|5.6|8|11], 1/[60|125|250|500], ISO [200|400|800|1600], hand-held, leaning against a lamp post.
    The picture I went for did not happen. The one that I got is better.
    I converted it to black and white because the red jacket at the left edge drove me mad.
    Straight from the camera except for the crop. I know, I am surprised myself.
    He asked me to send him a print, which I did {time*}, and now there is a jar of honey on my desk.`),
  details: lines(`
    All of it with one lens, the {28-85} mm.
    I metered for the highlights and let the rest go.
    The tripod stayed at home, which I regretted about {2-9} times.
    Edited in about {5-30/5} minutes, mostly contrast and a slight vignette.
    It was raining, so the camera lived in a freezer bag.
    There is a bit of noise in the shadows, and I have decided to like it.
    The contact sheet shows that I should have stayed ten minutes longer.
    A stranger stopped and told me about the [building|bridge|tree], and that is part of the picture for me.`),
  tips: lines(`
    Shoot the same place in four kinds of weather before you decide that it is boring.
    Look at the edges of the frame before you press the button.
    Get closer. Then get closer again.
    Expose for the highlights, shadows can be lifted.
    Print one picture a week, however small.
    Take the lens cap off in the pocket, not in front of the subject.
    Wait for the second person to walk into the frame.
    Delete on the big screen, never on the camera.
    Learn one lens so well that you know the frame before you look.
    Turn around. The picture is often behind you.
    Carry a spare battery in an inside pocket in winter.
    Use a fast enough shutter: a sharp picture with noise beats a clean blur.
    Clean the front element before you blame the lens.
    Leave the camera on the table for the first ten minutes of a portrait.`),
  opinions: lines(`
    Nobody has ever looked at a picture and said: what wonderful corner sharpness.
    A phone with good light beats the best camera in bad light.
    Presets are training wheels; at some point they hold you back.
    Most of my pictures would be better if I had taken two steps forward.
    A project with a deadline teaches more than a year of single pictures.
    We show too much. Ten pictures are a story, fifty are a backup.
    Film is not better, it is slower, and that is the point.
    Likes have made all of our sunsets look the same.
    Editing software is where photographers go to avoid photography.
    The best upgrade is a train ticket.`),
  replies: lines(`
    Which lens was that? The rendering is lovely.
    I would crop a little off the left, otherwise perfect.
    The light! How long did you wait?
    The second one is the stronger picture for me, because of the hands.
    Did you ask, or just shoot?
    Would love to see that as a large print.
    Try it in black and white, just to compare.
    What shutter speed? I always end up with blur in such light.
    The tones are beautiful. Film or digital?
    For me the horizon tilts slightly to the right, or is it the building?
    I know that spot! Come back in fog, it is magic.
    Less saturation and I would hang it on my wall.
    You captured exactly what it feels like there.`),
  polls: [
    { question: 'Only one lens for a year. Which one?', options: ['28 mm', '35 mm', '50 mm', '85 mm', 'A zoom, I need choice'] },
    { question: 'Raw or JPEG?', options: ['Raw, always', 'JPEG, I like to be done', 'Both', 'Film, thank you'] },
    { question: 'How many pictures of a day out do you keep?', options: ['One to five', 'Up to twenty', 'Up to a hundred', 'All of them'] },
    {
      question: 'What do you do with your best pictures?',
      options: ['Print and hang them', 'Photo books', 'Post them', 'They sit on a disk'],
    },
  ],
  resources: [
    ['Seeing in black and white', 'how tones separate, with many before and after pairs'],
    ['The contact sheets of a small-town reporter', 'forty years of local news on film'],
    ['Colour management without tears', 'the first text on it that I understood'],
    ['Window light, twelve set-ups', 'each with a plan drawn from above'],
    ['Editing your own work', 'about choosing, not about sliders'],
    ['A short history of the snapshot', 'from box cameras to phones'],
    ['Bird photography from a kitchen chair', 'patience and a hole in a curtain'],
    ['Home darkroom in a wardrobe', 'plans, ventilation, and what it cost'],
  ],
  tables: [
    {
      titles: lines(`
        {k=4-7} old manual lenses compared
        My cheap lens test: {k=4-7} old fifties
        Old glass, new sensor: what I found {where}`),
      intro: lines(`
        Rainy weekend, tripod, one brick wall and one patient friend. Everything wide open unless noted.
        I own too many of these, so I [finally|at last] compared them. Prices are what I paid second-hand.`),
      head: 'Lens',
      rows: words(
        `50/1.8 (1978), 50/1.4 (1983), 55/2 (1969), 58/2 (1975), 35/2.8 (1981), 135/3.5 (1972), 28/2.8 (1985), 40/2 (1990), 85/2 (1982)`,
      ),
      columns: [
        ['Price', ['{15-90} €']],
        ['Sharp from', ['f/2.8', 'f/4', 'f/5.6', 'wide open, really']],
        ['Flare', ['terrible, in a good way', 'well controlled', 'rainbow', 'veil over everything']],
        ['Keep?', ['yes', 'no', 'for portraits', 'sold already']],
      ],
      outro: lines(`
        The cheapest one stays on the camera. Make of that what you will.
        Numbers aside, I like the faulty ones best.
        Full-size files on request.`),
    },
  ],
}
