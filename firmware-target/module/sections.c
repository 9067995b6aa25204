// SPDX-License-Identifier: GPL-2.0
/*
 * The recorder: the worst sections of each CPU, and its last ones in order.
 *
 * The open section belongs to its CPU alone. The rest is written by that CPU
 * and read by any, under a lock that neither traces nor is traced: it is taken
 * at the very edge of a section, where a spinlock_t would come back to us.
 */
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "rig_target.h"

struct rig_cpu {
	struct rig_section	open;
	bool			is_open;

	arch_spinlock_t		lock;
	unsigned int		nr_worst;
	u64			nr_events;	/* since the last reset */
	struct rig_section	worst[RIG_NR_WORST];	/* worst first */
	struct rig_section	events[RIG_NR_EVENTS];	/* a ring */
};

static DEFINE_PER_CPU(struct rig_cpu, rig_cpu) = {
	.lock = __ARCH_SPIN_LOCK_UNLOCKED,
};

/* 64 bits wide on every machine, hence a lock instead of an atomic_t. */
static arch_spinlock_t rig_seq_lock = __ARCH_SPIN_LOCK_UNLOCKED;
static u64 rig_seq;

static u32 rig_filter_us;
static u32 rig_filter_ns __read_mostly;

static notrace void rig_insert_worst(struct rig_cpu *c, const struct rig_section *s)
{
	unsigned int at = c->nr_worst;

	if (at == RIG_NR_WORST) {
		if (s->duration <= c->worst[RIG_NR_WORST - 1].duration)
			return;
		at--;
	} else {
		c->nr_worst++;
	}
	for (; at && c->worst[at - 1].duration < s->duration; at--)
		c->worst[at] = c->worst[at - 1];
	c->worst[at] = *s;
}

static notrace void rig_record(struct rig_cpu *c)
{
	struct rig_section *s = &c->open;

	s->cpu = raw_smp_processor_id();

	arch_spin_lock(&c->lock);
	arch_spin_lock(&rig_seq_lock);
	s->seq = ++rig_seq;
	arch_spin_unlock(&rig_seq_lock);

	rig_insert_worst(c, s);
	c->events[(u32)c->nr_events++ % RIG_NR_EVENTS] = *s;
	arch_spin_unlock(&c->lock);
}

notrace void rig_section_begin(unsigned long site)
{
	struct rig_cpu *c;

	if (in_nmi())
		return;

	c = raw_cpu_ptr(&rig_cpu);
	c->is_open = true;
	c->open.site = site;
	c->open.handler[0] = '\0';
	c->open.start = rig_clock();
}

notrace void rig_section_end(void)
{
	struct rig_cpu *c = raw_cpu_ptr(&rig_cpu);

	if (!c->is_open || in_nmi())
		return;

	c->open.duration = rig_clock() - c->open.start;
	c->is_open = false;
	if (c->open.duration >= READ_ONCE(rig_filter_ns))
		rig_record(c);
}

/*
 * A section that began at interrupt entry is named after the first handler that
 * ran in it: the entry code would say nothing. The name is copied, since its
 * owner may be gone when somebody reads it.
 */
notrace void rig_section_handler(unsigned int irq, const struct irqaction *action)
{
	struct rig_cpu *c = raw_cpu_ptr(&rig_cpu);

	if (!c->is_open || c->open.handler[0] || !action->name)
		return;

	c->open.irq = irq;
	strscpy(c->open.handler, action->name, sizeof(c->open.handler));
}

void rig_sections_reset(void)
{
	unsigned long flags;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct rig_cpu *c = per_cpu_ptr(&rig_cpu, cpu);

		local_irq_save(flags);
		arch_spin_lock(&c->lock);
		c->nr_worst = 0;
		c->nr_events = 0;
		arch_spin_unlock(&c->lock);
		local_irq_restore(flags);
	}
}

int rig_sections_set_filter(u32 us)
{
	if (us > U32_MAX / NSEC_PER_USEC)
		return -EINVAL;
	WRITE_ONCE(rig_filter_us, us);
	WRITE_ONCE(rig_filter_ns, us * NSEC_PER_USEC);
	return 0;
}

static void rig_copy_cpu(struct rig_snapshot *snap, struct rig_cpu *c, enum rig_list list)
{
	const struct rig_section *from = list == RIG_WORST ? c->worst : c->events;
	unsigned long flags;
	unsigned int nr;

	local_irq_save(flags);
	arch_spin_lock(&c->lock);
	nr = list == RIG_WORST ? c->nr_worst : min_t(u64, c->nr_events, RIG_NR_EVENTS);
	memcpy(&snap->sections[snap->nr], from, nr * sizeof(*from));
	snap->nr += nr;
	if (list == RIG_EVENTS)
		snap->overwritten += c->nr_events - nr;
	arch_spin_unlock(&c->lock);
	local_irq_restore(flags);
}

struct rig_snapshot *rig_sections_copy(enum rig_list list)
{
	unsigned int per_cpu = list == RIG_WORST ? RIG_NR_WORST : RIG_NR_EVENTS;
	struct rig_snapshot *snap;
	int cpu;

	snap = kvzalloc(sizeof(*snap) + sizeof(snap->sections[0]) * per_cpu *
			num_possible_cpus(), GFP_KERNEL);
	if (!snap)
		return NULL;
	snap->filter_us = READ_ONCE(rig_filter_us);
	for_each_possible_cpu(cpu)
		rig_copy_cpu(snap, per_cpu_ptr(&rig_cpu, cpu), list);
	return snap;
}
