import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const astronomy: Topic = {
  key: 'astronomy',
  language: 'en',
  lists: {
    field: ['observing'],
    thing:
      words(`planets at high power, deep-sky sketching, double stars, lunar observing, star hopping, variable stars, meteor showers, astrophotography without tracking, solar observing,
      binocular objects, galaxy season, globular clusters, dark-sky trips, planetary nebulae, occultations, narrowband imaging, aurora hunting, red torches`),
    object: words(
      `the Andromeda Galaxy, the Orion Nebula, M13, the Double Cluster, Saturn, Jupiter, the Ring Nebula, Albireo, M51, the Veil Nebula, the Pleiades, Mars, the Leo Triplet, the Dumbbell Nebula, Epsilon Lyrae, M81 and M82`,
    ),
    gear: words(
      `8-inch Dobsonian, equatorial mount, 32 mm eyepiece, solar filter, dew heater, pair of 10x50 binoculars, star atlas, red torch, laser collimator, barlow, finder scope, tracking mount, guide camera, observing chair, UHC filter, 80 mm refractor`,
    ),
    problem: words(
      `light pollution, dew on the optics, bad seeing, polar alignment, star trails, cold feet, clouds on every new moon, a wobbly tripod, collimation, neighbours’ security lights, walking noise, egg-shaped stars, aperture fever`,
    ),
    doing: words(
      `sketching at the eyepiece, star hopping without electronics, collimating in the dark, stacking short exposures, keeping an observing log, flattening images, waiting for the seeing to settle, showing the moon to neighbours, splitting double stars, driving out to dark sky`,
    ),
    did: words(
      `saw the Cassini division, found my first galaxy by star hopping, split a double star under two arcseconds, built a barn-door tracker, finished the Messier list, photographed the Milky Way, showed Saturn to the whole street, flocked the tube, sketched the Orion Nebula, saw the green flash of a comet’s head, collimated properly for the first time, stayed up until four`,
    ),
    where: words(
      `from a city balcony, under Bortle 4 skies, in the back garden, at minus eight degrees, from the car park of the swimming pool, in the mountains, with a full moon, at 53 degrees north, on holiday in the south, through a window`,
    ),
    goal: words(
      `find faint galaxies, get round stars at the edge, observe from the city, keep the dew off, choose a first telescope, photograph nebulae without a tracker, see more detail on Jupiter, learn the constellations, draw what I see, align the mount in ten minutes, pack for a dark-sky trip, observe with children`,
    ),
  },
  cases: [
    {
      titles: lines(`
        First telescope for about {k=200-700/50} €
        Which telescope for a {k2=8-14}-year-old?
        Binoculars or telescope, budget {k=200-700/50} €?`),
      story: lines(`
        My [daughter|son|nephew] is {k2=8-14} and talks about nothing but {object}. Budget is around {k=200-700/50}, we live {where}. The shop wants to sell us a motor, an app and {4-9} eyepieces.
        I would like to see {object} with my own eyes. {k=200-700/50} € at most, no car, fourth floor. Photography is not important.`),
      ask: lines(`
        What would you buy?
        Is go-to a help or a toy?`),
      answers: lines(`
        The biggest Dobsonian you can carry. For {k=200-700/50} that is 6 or 8 inches, used.
        Binoculars, a deckchair and an atlas. If the fire is still burning in three months, buy the Dob.
        Go to a public evening first and look through five of them. {k=200-700/50} is a lot for a guess.
        No department-store refractor on a wobbly tripod! It has put out more young fires than clouds have.
        With a {k2=8-14}-year-old: quick set-up beats everything. A tabletop Dob is out in two minutes.
        Leave money for one decent wide eyepiece.`),
    },
    {
      titles: lines(`
        Cannot find {object} from my garden
        {Object}: what should I expect to see?
        Looking for {object}, seeing nothing`),
      story: lines(`
        {k=2-6} evenings now I have searched for {object}, {where}, with {a gear}. The app says it is right there. I see [nothing|a grey nothing].
        I found what could be {object}: a faint smudge, nothing like the pictures. {Where}, {a gear}, about {20-60/5} minutes of dark adaptation.`),
      ask: lines(`
        Is that all there is, or am I looking at the wrong spot?
        Which magnification?`),
      answers: lines(`
        A smudge is what it looks like! Congratulations, those photons have travelled a long way.
        Lowest power, widest eyepiece, then look slightly beside it. Averted vision is worth two inches of aperture.
        Tap the tube. The eye notices movement when it cannot see the thing itself.
        Forget the app, use two bright stars and hop. I can draw you a map.
        {Where} it will always be hard. Try it once from a dark place, then you know what to look for.
        Half an hour without any phone. One look at a white screen and you start from zero.`),
    },
    {
      titles: lines(`
        Egg-shaped stars in {k=30-240/30} s exposures
        Stars trail after {k=30-240/30} seconds
        Guiding looks fine, stars do not`),
      story: lines(`
        {k=30-240/30} s subs, {300-700} mm, on {a gear2}. Stars are elongated, all in the same direction, more so towards [the corner|the right]. Guiding says {0-1}.{4-9} arcseconds.
        Without guiding I get round stars up to about {10-25} seconds, at {k=30-240/30} they are eggs. Polar alignment was done with the [drift method|camera].`),
      ask: lines(`
        Tilt, flexure or alignment?
        How do I find out which?`),
      answers: lines(`
        Same direction in the whole frame: tracking or flexure. Only in one corner: tilt. Turn the camera by 90° and look again.
        Balance slightly east-heavy, so that the gears stay in contact.
        A cable that pulls is my usual suspect. Zip ties, all of them.
        Take ten frames of {k=30-240/30} s, then ten of half that. If it halves too, it is drift.
        Guide scope flexure. I lost a whole season to one loose screw.`),
    },
    {
      titles: lines(`
        Dew on everything after {k=30-90/15} minutes
        How do you keep optics dry {where}?
        Dew: heater, shield or hair dryer?`),
      story: lines(`
        After {k=30-90/15} minutes the corrector is fogged, after that the finder, and then the atlas starts to dissolve. {Where}, autumn nights, no power.
        My sessions end after {k=30-90/15} minutes, not because of clouds but because everything drips.`),
      ask: lines(`
        What works without mains?
        Does a home-made shield do?`),
      answers: lines(`
        A shield of camping mat, one and a half times as long as the aperture. Costs three euros, doubles the time.
        A heater band and a power bank, 5 W is enough for a whole night.
        Never wipe! Point it down, warm it gently, wait.
        Put the eyepieces into your jacket, they stay warm and so do you, more or less.
        Set up on grass is the worst. A groundsheet makes a difference.`),
    },
  ],
  shows: lines(`
    Seeing {5-9}/10, transparency {3-5}/5, two cups of tea and one hedgehog.
    {40-240} frames of {2-180} seconds, stacked, stretched, and then stretched a bit less.
    At {120-240/20}x it held still for a second or two at a time, and in those seconds it was all there.
    I just stood there. {Buddy*} looked and said a word that I will not repeat here.
    A sketch on black paper, white pencil, {20-50/5} minutes at the eyepiece. It is not art, but I have never looked so long.
    Seven people came over the fence, one after another, and the same gasp every time.
    Three hours under the stars, and I found {2-9} of the {12-20} on my list.
    It is a grey smudge. It is MY grey smudge.`),
  details: lines(`
    The {gear} had cooled for an hour, which made all the difference.
    {Object*} was almost at the zenith, so my neck knows about it.
    Limiting magnitude by eye was about {4-5}.{2-9}.
    The moon rose at one and put an end to it.
    I used no filter, it only made everything green.
    Somewhere a fox barked, and I nearly kicked the tripod.
    Minus {2-12} degrees, two pairs of socks, still cold.
    Flats, darks, the whole ritual.`),
  tips: lines(`
    Let the telescope cool for an hour before you judge it.
    Start with the lowest power and stay there longer than you want to.
    Look beside a faint object, not at it.
    Dress for ten degrees less than the forecast.
    Make a list for the evening, and keep it short.
    Collimate every time, it takes two minutes.
    Use red light, and as little of it as you can.
    Write down the date, the place and one honest sentence.
    Keep the caps on until the very last moment.
    Learn one constellation a week.
    Never look at the sun without a filter on the front, not even for a second.
    Sit down. You see more when you are comfortable.
    Take the bins along even when you take the telescope.`),
  opinions: lines(`
    A pair of binoculars has made more astronomers than any telescope.
    Go-to mounts teach you the menu, star hopping teaches you the sky.
    The best telescope is the one you carry downstairs on a Tuesday.
    The moon is not light pollution.
    Most astrophotos are too colourful, the universe is shy.
    A sketch makes you see twice as much as a photo.
    Street lamps should go off at one. Nobody would miss them.
    Aperture fever is cured by a staircase.
    We should talk less about gear and more about what we saw.
    Cloudy nights are good for the hobby: somebody has to read the books.`),
  replies: lines(`
    Clear skies! Here it has been cloudy for {5-30} days.
    Which eyepiece did you use?
    How dark is it at your place?
    The Cassini division with that aperture? Respect.
    Try {object*} next, it is close by and easy.
    Have you tried it without the filter?
    I saw it too, from {city*}, through a gap in the clouds.
    Dew heater, and never look back.
    Lovely colours, maybe a touch less saturation.
    Sketch it! You will be surprised how much more you see.
    Was the seeing really that good? I am jealous.
    My first look at {object*} was thirty years ago, and I still remember it.`),
  polls: [
    {
      question: 'How far do you drive for a dark sky?',
      options: ['I stay in the garden', 'Up to half an hour', 'Up to two hours', 'I book a flight'],
    },
    { question: 'Eyepiece or camera?', options: ['Eyepiece only', 'Camera only', 'Both on the same night', 'Naked eye and a blanket'] },
    {
      question: 'What would you show to a child first?',
      options: ['The moon', 'Saturn', 'Jupiter’s moons', 'The Milky Way', 'A satellite'],
    },
    { question: 'Your biggest enemy?', options: ['Clouds', 'Street lamps', 'Dew', 'My alarm clock'] },
  ],
  resources: [
    ['Turn left at the bright one', 'star hopping for beginners, with forty maps'],
    ['Sketching the faint stuff', 'pencil, patience, averted vision'],
    ['The backyard double-star list', 'sorted by how hard they are'],
    ['Why stars twinkle and planets do not', 'seeing explained with a swimming pool'],
    ['Polar alignment in nine minutes', 'with a stopwatch'],
    ['Bring back the night', 'how a village switched off its lamps'],
    ['A telescope maker’s notebook', 'grinding a mirror in a cellar'],
    ['What you can really see', 'drawings instead of photographs'],
  ],
}
